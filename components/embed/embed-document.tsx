import type { ReactNode } from "react";
import type { EmbedTheme } from "./embed-data";

interface Props {
  title: string;
  theme: EmbedTheme;
  /** The URL of the style sheet. */
  styles: string;
  children: ReactNode;
}

/** A complete page for a frame on another site: no scripts, no cookies, nothing from other origins. */
export function EmbedDocument({ title, theme, styles, children }: Props) {
  return (
    <html lang="en" data-theme={theme === "auto" ? undefined : theme}>
      {/* biome-ignore lint/style/noHeadElement: a document of its own, not a page of the framework. */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="stylesheet" href={styles} />
      </head>
      <body>{children}</body>
    </html>
  );
}
