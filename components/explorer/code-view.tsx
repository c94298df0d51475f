"use client";

import { useEffect, useRef, useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import type { CodeToken } from "@/components/ui/highlight";
import type { CodeLanguage } from "@/lib/describe/code-language";

interface Props {
  code: string;
  language: CodeLanguage;
  label: string;
}

/** Code that changes with the page. Plain at first; highlighting is loaded when it becomes visible. */
export function CodeView({ code, language, label }: Props) {
  const figure = useRef<HTMLElement>(null);
  const [lines, setLines] = useState<{ code: string; tokens: CodeToken[][] }>();
  useEffect(() => {
    let isCurrent = true;
    const colour = async () => {
      const { highlight } = await import("@/components/ui/highlight");
      const tokens = await highlight(code, language);
      if (isCurrent) setLines({ code, tokens });
    };
    const sight = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      sight.disconnect();
      void colour().catch(() => undefined); // it remains plain
    });
    if (figure.current) sight.observe(figure.current);
    return () => {
      isCurrent = false;
      sight.disconnect();
    };
  }, [code, language]);
  return (
    <figure ref={figure} className="overflow-hidden rounded-md border border-line bg-surface">
      <figcaption
        className={"flex items-center justify-between gap-2 border-line border-b py-1 pr-1.5 pl-4 text-muted text-xs"}
      >
        {label}
        <CopyButton text={code} label={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <pre tabIndex={0} className="max-h-[28rem] overflow-auto px-4 py-3 font-mono text-[0.8125rem] leading-[1.375rem]">
        <code>{lines?.code === code ? <Lines lines={lines.tokens} /> : code}</code>
      </pre>
    </figure>
  );
}

function Lines({ lines }: { lines: readonly CodeToken[][] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: lines never move.
  return lines.map((line, at) => <Line key={at} tokens={line} isLast={at === lines.length - 1} />);
}

function Line({ tokens, isLast }: { tokens: readonly CodeToken[]; isLast: boolean }) {
  return (
    <span>
      {tokens.map((token, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens never move.
        <span key={at} className={token.kind && `code-${token.kind}`}>
          {token.text}
        </span>
      ))}
      {isLast ? "" : "\n"}
    </span>
  );
}
