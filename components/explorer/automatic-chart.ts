/** The URL parameter's value for the chart that suits the result best. */
export const AUTOMATIC = "auto";
