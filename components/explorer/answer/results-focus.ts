/** Of the part of the page that holds title, chart and rows. */
export const RESULTS_ID = "explorer-results";

/** Moves the focus to the results before the control that has it goes away, so that the keyboard goes on from there. */
export const focusResults = (): void => document.getElementById(RESULTS_ID)?.focus({ preventScroll: true });
