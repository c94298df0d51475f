import { ERRORS, type Failure } from "@/lib/kernel/errors";
import { LATER, pageAdvice } from "@/lib/kernel/page-text";

/** The colours of app/styles/colours.css: this page must work when nothing else does, so it loads nothing. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;background:light-dark(#ffffff,#0e1412);color:light-dark(#12201c,#e7eeeb);font:1rem/1.625 \
ui-sans-serif,system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:15vh 1.25rem 3rem}
h1{margin:.5rem 0 1rem;font-size:2rem;line-height:1.2;letter-spacing:-.018em}
p{margin:0 0 1rem;overflow-wrap:anywhere}
small,.brand{color:light-dark(#4d5c57,#a9b8b2);font-size:.875rem}
a{color:light-dark(#0b6b5a,#62cbb2)}
nav{display:flex;gap:1.5rem;margin:1.5rem 0}`;

/**
 * The page shown when no other could be made: what happened, what to do, and the request ID. Needs no script. `again`:
 * where to retry; the page's own URL if that is what was requested.
 */
export function errorPage(failure: Failure, requestId: string, nonce: string, again = AGAIN): string {
  const { title } = ERRORS[failure.code];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Parquetry</title>
<link rel="icon" href="/icon.svg">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<p class="brand">Parquetry</p>
<h1>${title}</h1>
${textsOf(failure)
  .map((text) => `<p>${escapeHtml(text)}</p>`)
  .join("\n")}
<nav><a href="${escapeHtml(again.href)}">${again.words}</a><a href="/">Home</a></nav>
<p><small>Request ID <code>${escapeHtml(requestId)}</code>. If this keeps happening, \
send it to your administrator.</small></p>
</main>
</body>
</html>
`;
}

/** The paragraphs below the title, which say neither it nor when to try again twice. */
function textsOf({ code, fact, message, retryAfterSeconds }: Failure): string[] {
  const what = fact === `${ERRORS[code].title}.` ? "" : fact;
  const advice = fact === message ? "" : pageAdvice(code);
  if (retryAfterSeconds === undefined) return [`${what} ${advice}`.trim()];
  const wait = `Try again in ${seconds(retryAfterSeconds)}.`;
  return [`${what} ${advice === LATER ? "" : advice}`.trim(), wait].filter((text) => text !== "");
}

/** The same URL. */
const AGAIN = { href: "", words: "Try again" };

const seconds = (count: number): string =>
  count >= 120 ? `${Math.ceil(count / 60)} minutes` : `${count} second${count === 1 ? "" : "s"}`;

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
