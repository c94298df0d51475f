/**
 * The default export of a CommonJS package, however it was loaded: Node returns all its exports as the default,
 * bundlers their `default`.
 */
export const defaultOf = <T>(imported: T): T => (imported as { default?: T }).default ?? imported;
