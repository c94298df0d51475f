/** Maximum number of values of a facet in a search. */
export const FACET_VALUES_MAX = 10;
