import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { CodeLanguage } from "@/lib/describe/code-language";

/** Yields the kinds of tokens instead of colours, so that one rendering serves light and dark. */
const THEME = createCssVariablesTheme({ name: "tokens", variablePrefix: "--code-", fontStyle: false });

const highlighter = createHighlighterCore({
  themes: [THEME],
  langs: [
    import("shiki/langs/shellscript.mjs"),
    import("shiki/langs/python.mjs"),
    import("shiki/langs/javascript.mjs"),
    import("shiki/langs/sql.mjs"),
    import("shiki/langs/json.mjs"),
    import("shiki/langs/r.mjs"),
  ],
  engine: createJavaScriptRegexEngine(),
});

/** The kinds of token that are coloured; each has a class in the style sheet. */
const KINDS = {
  keyword: "keyword",
  string: "string",
  "string-expression": "string",
  constant: "number",
  function: "function",
  comment: "comment",
} as const;

export interface CodeToken {
  text: string;
  /** Absent for plain text. */
  kind?: (typeof KINDS)[keyof typeof KINDS];
}

/** Lines of coloured tokens; adjacent tokens of one colour are joined to keep pages small. */
export async function highlight(code: string, language: CodeLanguage): Promise<CodeToken[][]> {
  if (language === "text") return code.split("\n").map((text) => [{ text }]);
  const { tokens } = (await highlighter).codeToTokens(code, { lang: language, theme: "tokens" });
  return tokens.map((line) => joinTokens(line.map((token) => tokenOf(token.content, token.color))));
}

/** The lines as one sequence of tokens: a colour that continues over a line break is one token. */
export const joinLines = (lines: readonly (readonly CodeToken[])[]): CodeToken[] =>
  joinTokens(
    lines.flatMap((line, at) =>
      at === 0 ? line : line[0] ? [{ ...line[0], text: `\n${line[0].text}` }, ...line.slice(1)] : [{ text: "\n" }],
    ),
  );

function tokenOf(text: string, color: string | undefined): CodeToken {
  const name = /^var\(--code-token-([a-z-]+)\)$/.exec(color ?? "")?.[1] ?? "";
  return Object.hasOwn(KINDS, name) ? { text, kind: KINDS[name as keyof typeof KINDS] } : { text };
}

function joinTokens(tokens: readonly CodeToken[]): CodeToken[] {
  const joined: CodeToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (last && last.kind === token.kind) last.text += token.text;
    else joined.push({ ...token });
  }
  return joined;
}
