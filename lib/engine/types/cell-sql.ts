/* SQL over text cells. DuckDB's own casts accept too much: CAST('1.5' AS BIGINT) is 2, '1_000' is 1000, '007' is 7. */

export const CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]";
export const SECONDS = String.raw`:[0-5][0-9](\.[0-9]{1,6})?`;

export const matches = (x: string, pattern: string): string => `regexp_full_match(${x}, '${pattern}')`;
export const tryCast = (x: string, storage: string): string => `TRY_CAST(${x} AS ${storage})`;

/** SQL: whether the value prints as exactly the same text, so that nothing was dropped, rounded or normalised. */
export const printsBack = (x: string, v: string): string => `coalesce(${v}::VARCHAR = ${x}, false)`;
