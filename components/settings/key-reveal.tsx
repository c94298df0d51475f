"use client";

import { KeyRound } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { curlQuery } from "@/lib/describe/snippets";
import { formatDay } from "@/lib/kernel/format";

export interface MadeKey {
  name: string;
  key: string;
  expires_at: string | null;
}

export interface QueryExample {
  url: string;
  body: Parameters<typeof curlQuery>[1];
  /** What the query reads, such as “Mauna Loa CO₂”. */
  title: string;
}

interface Props {
  made: MadeKey;
  example: QueryExample | undefined;
  onPutAway: () => void;
}

/** A key that was just created: the only place where it is ever shown. */
export function KeyReveal({ made, example, onPutAway }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="new-key" className="mb-6 rounded-lg border-2 border-accent bg-accent-soft p-4 sm:p-5">
      <h3 id="new-key" ref={heading} tabIndex={-1} className="flex items-center gap-2.5 text-lg">
        <KeyRound size={20} aria-hidden="true" className="shrink-0 text-accent" />
        Copy this key now. It won’t be shown again
      </h3>
      <p className="wrap-anywhere mt-1 text-muted text-sm">
        “{made.name}”, {made.expires_at ? `valid until ${formatDay(made.expires_at)}` : "valid until revoked"}. Treat it
        like a password: keep it out of source code and chats.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md border border-line-strong bg-paper p-3">
        <code data-secret="" className="min-w-0 flex-[1_1_16rem] select-all break-all font-mono text-sm">
          {made.key}
        </code>
        <CopyButton text={made.key} label="key" look="button button-primary">
          Copy key
        </CopyButton>
      </div>
      {example && <TryIt made={made} example={example} />}
      <Button onClick={onPutAway} className="mt-4">
        I have stored it
      </Button>
    </section>
  );
}

function TryIt({ made, example: { url, body, title } }: { made: MadeKey; example: QueryExample }) {
  const code = `PARQUETRY_KEY='${made.key}'\n${curlQuery(url, body, true)}`;
  return (
    <figure className="mt-3 overflow-hidden rounded-md border border-line-strong bg-paper">
      <figcaption
        className={"flex items-center justify-between gap-2 border-line border-b py-1 pr-1.5 pl-3 text-muted text-xs"}
      >
        <span className="min-w-0 truncate">Try it in a shell with a few rows of {title}</span>
        <CopyButton text={code} label="command with the key" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto px-3 py-2.5 font-mono text-[0.8125rem] leading-[1.375rem]">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
