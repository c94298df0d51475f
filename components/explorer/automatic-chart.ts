/** Stands in the address for the chart that suits the result best. */
export const AUTOMATIC = "auto";
