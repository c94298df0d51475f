import { EARLY_SCRIPT } from "./early-script";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Where the reader's choice is kept in the browser; absent for the system's theme. */
export const THEME_KEY = "theme";

const CHOSEN_THEME =
  "try{var " +
  `t=localStorage.getItem("${THEME_KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

/**
 * The service sets this cookie, which grants no access, together with the session's, so that cacheable pages need not
 * know who reads them.
 */
const SIGNED_IN = `if(/(^|; )parquetry-signed-in=1/.test(document.cookie))document.documentElement.dataset.signedIn=""`;

/**
 * Runs before the first paint, so that neither a chosen theme nor the link to the account flashes. Private windows may
 * reject storage.
 */
export const THEME_SCRIPT = `${CHOSEN_THEME};${SIGNED_IN};${EARLY_SCRIPT}`;
