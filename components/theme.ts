export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Where the reader's choice is kept in the browser; absent for the system's theme. */
export const THEME_KEY = "theme";

/** Runs before the first paint, so that a chosen theme never flashes. Private windows may refuse storage. */
export const THEME_SCRIPT = `try{var t=localStorage.getItem("${THEME_KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;
