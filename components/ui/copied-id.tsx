import { CopyButton } from "./copy-button";

/** An identifier on one line. Its end may be hidden; the full text is copied and shown on hover. */
export function CopiedId({ text, label, shown = text }: { text: string; label: string; shown?: string }) {
  return (
    <span className="relative inline-flex h-[1lh] min-w-0 max-w-full items-center gap-1 align-top">
      <code title={text} className="truncate font-mono text-[0.8125rem]">
        {shown}
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
