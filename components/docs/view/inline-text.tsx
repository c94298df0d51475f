import "server-only";
import MarkdownIt from "markdown-it";

const MARKDOWN = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** A sentence with inline Markdown. The docs' own text: raw HTML is off anyway. */
export function InlineText({ text }: { text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdown-it with raw HTML off escapes everything that it does not write itself.
  return <span className="doc-words" dangerouslySetInnerHTML={{ __html: MARKDOWN.renderInline(text) }} />;
}
