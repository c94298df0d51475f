import { CopyButton } from "./copy-button";

/** A citation as text, with a copy button. */
export function CitedText({ text }: { text: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-surface py-3 pr-2 pl-4 text-sm">
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">{text}</p>
      <CopyButton text={text} label="citation" />
    </div>
  );
}
