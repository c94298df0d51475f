/** The part of the page with title, chart and rows. */
export const RESULTS_ID = "explorer-results";

/** Moves the focus to the results before the focused control is removed, so that the keyboard continues from there. */
export const focusResults = (): void => document.getElementById(RESULTS_ID)?.focus({ preventScroll: true });
