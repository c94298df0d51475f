/** The grammar's bounds, of the contract's section 3. */
export const COLUMNS_MAX = 500;
export const FILTERS_MAX = 50;
export const ORDER_MAX = 8;
export const GROUPS_MAX = 4;
export const AGGREGATES_MAX = 50;
export const VALUES_MAX = 20;
export const OFFSET_MAX = 1_000_000;
export const LIMIT_DEFAULT = 100;
/** Faults list the table's columns up to this many. */
export const ALLOWED_MAX = 50;
/** Faults of shape in one reply: more than the largest good body could hold. */
export const FAULTS_MAX = 1000;
