import type { CodeLanguage } from "@/lib/describe/code-language";
import { CopyButton } from "./copy-button";
import { type CodeToken, joinLines } from "./highlight";
import { highlighted } from "./highlighted";

/** Prompts and URLs wrap; lines of code do not. */
const WRAPPED = "wrap-anywhere whitespace-pre-wrap";

/** Code coloured on the server, with a copy button. `label` names it for the reader, such as "Query with curl". */
export async function CodeBlock({ code, language, label }: { code: string; language: CodeLanguage; label: string }) {
  const lines = await highlighted(code, language);
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-surface">
      <figcaption
        className={"flex items-center justify-between gap-2 border-line border-b py-1 pr-1.5 pl-4 text-muted text-xs"}
      >
        {label}
        <CopyButton text={code} label={label} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
        tabIndex={0}
        className={
          "overflow-x-auto px-4 py-3 font-mono text-[0.8125rem] leading-[1.375rem] " +
          `${language === "text" ? WRAPPED : ""}`
        }
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
