import { CopyButton } from "./copy-button";

/**
 * An identifier in one line, cut in the middle of nothing: the end is hidden, the whole is copied and shown on hover.
 */
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
