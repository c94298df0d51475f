import { type Marks, markWords } from "./mark-words";

/** Text with search matches marked. */
export function MarkedText({ text, marks }: { text: string; marks: Marks | undefined }) {
  if (!marks) return text;
  return markWords(text, marks).map((part, at) =>
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
