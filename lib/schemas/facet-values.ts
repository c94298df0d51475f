/** A search takes at most so many values of a facet. */
export const FACET_VALUES_MAX = 10;
