import { markWords } from "./mark-words";

/** Text with the searched words marked. */
export function MarkedText({ text, q }: { text: string; q: string }) {
  return markWords(text, q).map((part, at) =>
    part.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts never move.
      <mark key={at} className="rounded-[2px] bg-mark text-inherit">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
