/** The grammar's bounds (section 3 of the contract). */
export const COLUMNS_MAX = 500;
export const FILTERS_MAX = 50;
export const ORDER_MAX = 8;
export const GROUPS_MAX = 4;
export const AGGREGATES_MAX = 50;
export const VALUES_MAX = 20;
export const OFFSET_MAX = 1_000_000;
export const LIMIT_DEFAULT = 100;
export const DERIVED_MAX = 8;
export const LOOKUPS_MAX = 2;
/** Maximum number of rows of a table that columns are looked up in. */
export const LOOKUP_ROWS_MAX = 5_000_000;
/** Maximum number of spans of a moving average. */
export const SPANS_MAX = 365;
/** Maximum number of rows, or groups, of each combination in `top`. */
export const TOP_MAX = 100;
/** Maximum number of filters of one aggregate, and of `having`. */
export const GROUP_FILTERS_MAX = 10;
/** Maximum distance of `near`, in kilometres: just above half the circumference of the earth. */
export const KM_MAX = 20_016;
/** Maximum length of a search string, in characters. */
export const SEARCH_MAX = 200;
/** Maximum size of one part of a cell, in bytes of JSON. */
export const CELL_BYTES_MAX = 48 * 1024;
/** Maximum number of the table's columns that a fault lists. */
export const ALLOWED_MAX = 50;
/** Maximum number of shape faults in one reply: more than the largest valid body could cause. */
export const FAULTS_MAX = 1000;
