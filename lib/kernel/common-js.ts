/**
 * What a CommonJS package exports by default, however it was loaded: Node gives all its exports for the default,
 * bundlers their `default`.
 */
export const defaultOf = <T>(imported: T): T => (imported as { default?: T }).default ?? imported;
