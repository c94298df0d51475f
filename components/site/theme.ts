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
 * Keeps clicks on buttons whose code has not loaded yet, where React would drop them, and submissions of forms that
 * only this code can send, where the browser would reload the page; see `early-clicks.tsx`. React listens on the
 * document, after this: what it can still hydrate for the click reaches the button and is not kept.
 */
const EARLY_CLICKS =
  "(function(){var c=window.earlyClicks=new Set," +
  "l=function(e){return Object.keys(e).some(function(k){return /^__reactProps/.test(k)})};" +
  "addEventListener('click',function(e){var b=e.target.closest&&e.target.closest('button[type=button]');" +
  "if(b&&!l(b)){c.add(b);" +
  "b.addEventListener('click',function(){if(l(b))c.delete(b)},{capture:true,once:true})}},true);" +
  "addEventListener('submit',function(e){var f=e.target;" +
  "if(!f.hasAttribute('action')&&!l(f)){e.preventDefault();c.add(e.submitter||f)}},true)})()";

/**
 * Runs before the first paint, so that neither a chosen theme nor the link to the account flashes. Private windows may
 * reject storage.
 */
export const THEME_SCRIPT = `${CHOSEN_THEME};${SIGNED_IN};${EARLY_CLICKS}`;
