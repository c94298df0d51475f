/** The state of a dataset `d`, as an SQL expression. */
export const FRESHNESS = "'unknown'::text";
