import "server-only";
import MarkdownIt from "markdown-it";

// Raw HTML is shown as text and links with dangerous schemes are left as text: descriptions come from publishers.
const MARKDOWN = new MarkdownIt({ html: false, linkify: true, typographer: false });
MARKDOWN.disable("image");
// The page has its own h1 to h3.
MARKDOWN.core.ruler.push("lower_headings", (state) => {
  for (const token of state.tokens) if (token.type.startsWith("heading_")) token.tag = "h3";
});
const renderLink =
  MARKDOWN.renderer.rules.link_open ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
MARKDOWN.renderer.rules.link_open = (tokens, at, options, env, self) => {
  tokens[at]?.attrSet("rel", "nofollow noopener");
  return renderLink(tokens, at, options, env, self);
};

/** Safe HTML of a publisher's Markdown. */
export const markdownHtml = (text: string): string => MARKDOWN.render(text);

export function Markdown({ text }: { text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdown-it with raw HTML off escapes everything that it does not write itself.
  return <div className="prose max-w-prose" dangerouslySetInnerHTML={{ __html: markdownHtml(text) }} />;
}
