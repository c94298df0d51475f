export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Where the reader's choice is kept in the browser; absent for the system's theme. */
export const THEME_KEY = "theme";

const CHOSEN_THEME =
  "try{var " +
  `t=localStorage.getItem("${THEME_KEY}");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;

/**
 * The service sets this cookie, which gives no rights, together with the session's: cacheable pages need not know who
 * reads them.
 */
const SIGNED_IN = `if(/(^|; )parquetry-signed-in=1/.test(document.cookie))document.documentElement.dataset.signedIn=""`;

/**
 * Keeps clicks on buttons that only script can answer until React listens, which then loses none; see
 * `early-clicks.tsx`.
 */
const EARLY_CLICKS =
  "earlyClicks=new Set;addEventListener('click',function(e){" +
  "var b=e.target.closest&&e.target.closest('button[type=button]');" +
  "if(b&&window.earlyClicks&&!Object.keys(document).some(function(k){return /^_reactListening/.test(k)}))" +
  "earlyClicks.add(b)},true)";

/**
 * Runs before the first paint, so that neither a chosen theme nor the link to the account flashes. Private windows may
 * refuse storage.
 */
export const THEME_SCRIPT = `${CHOSEN_THEME};${SIGNED_IN};${EARLY_CLICKS}`;
