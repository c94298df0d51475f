import type { CodeLanguage } from "@/lib/describe/code-language";
import { CopyButton } from "./copy-button";
import { type CodeToken, joinLines } from "./highlight";
import { highlighted } from "./highlighted";

/**
 * Code coloured on the server, with a copy button. `label` names it for the reader, such as "Query with curl". Prompts
 * and URLs wrap; lines of code do not.
 */
export async function CodeBlock({ code, language, label }: { code: string; language: CodeLanguage; label: string }) {
  const lines = await highlighted(code, language);
  return (
    <figure className={language === "text" ? "code-block code-wraps" : "code-block"}>
      <figcaption>
        {label}
        <CopyButton text={code} label={label} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
        tabIndex={0}
      >
        <code>
          <CodeLines lines={lines} />
        </code>
      </pre>
    </figure>
  );
}

/** Lines of coloured tokens. */
export function CodeLines({ lines }: { lines: readonly (readonly CodeToken[])[] }) {
  return joinLines(lines).map((token, at) =>
    token.kind ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens never move.
      <span key={at} className={`code-${token.kind}`}>
        {token.text}
      </span>
    ) : (
      token.text
    ),
  );
}
