import { CopyButton } from "@/components/ui/copy-button";

/** A key or link that is shown only this once. `label` names it, such as "key". */
export function ShownOnce({ text, label }: { text: string; label: string }) {
  return (
    <div
      className={"flex min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface py-1.5 pr-1.5 pl-3"}
    >
      <code className="min-w-0 flex-1 select-all break-all font-mono text-[0.8125rem]">{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
