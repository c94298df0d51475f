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
 * Keeps clicks on buttons whose code has not loaded yet, where React would drop them; see `early-clicks.tsx`. React
 * listens on the document, after this: what it can still hydrate for the click reaches the button and is not kept.
 */
const EARLY_CLICKS =
  "earlyClicks=new Set;addEventListener('click',function(e){" +
  "var b=e.target.closest&&e.target.closest('button[type=button]'),c=earlyClicks," +
  "l=function(){return Object.keys(b).some(function(k){return /^__reactProps/.test(k)})};" +
  "if(b&&!l()){c.add(b);b.addEventListener('click',function(){if(l())c.delete(b)},{capture:true,once:true})}},true)";

/**
 * Runs before the first paint, so that neither a chosen theme nor the link to the account flashes. Private windows may
 * reject storage.
 */
export const THEME_SCRIPT = `${CHOSEN_THEME};${SIGNED_IN};${EARLY_CLICKS}`;
