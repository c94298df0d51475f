/**
 * The policy of a page. Only scripts with this reply's nonce run, and scripts that those load; nothing is framed,
 * embedded, sent or fetched elsewhere.
 * `'self'` next to `'strict-dynamic'` is for browsers that do not support the latter.
 */
export function pagePolicy(nonce: string, { isSecure }: { isSecure: boolean }): string {
  const own = `'self' 'nonce-${nonce}'`;
  const directives = [
    "default-src 'none'",
    `script-src ${own} 'strict-dynamic'`,
    "script-src-attr 'none'",
    `style-src ${own}`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    ...(isSecure ? ["upgrade-insecure-requests"] : []),
  ];
  return directives.join("; ");
}

/** The policy of replies that are not pages: even if opened as a document, they run, load and send nothing. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The policy of content that other sites may frame: it shows text and drawings in our own styles and typeface, and can
 * do nothing else.
 */
export const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";
