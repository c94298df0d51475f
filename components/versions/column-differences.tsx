import type { ReactNode } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import type { Comparison } from "@/lib/schemas/comparison";

/** Changes to the columns themselves; one sentence if there are none. */
export function ColumnDifferences({ comparison }: { comparison: Comparison }) {
  const items = itemsOf(comparison);
  return (
    <section aria-labelledby="comparison-columns" className="comparison-part">
      <h3 id="comparison-columns">Columns</h3>
      {items.length === 0 ? (
        <p className="text-muted text-sm">No columns changed.</p>
      ) : (
        <ul className="space-y-2 text-sm">
          {items.map(({ key, tone, word, text }) => (
            <li key={key} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <Badge tone={tone}>{word}</Badge>
              <span className="min-w-0">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface Item {
  key: string;
  tone: Tone;
  word: string;
  text: ReactNode;
}

function itemsOf({ columns, primary_key: key }: Comparison): Item[] {
  return [
    ...columns.added.map(
      ({ name, type }): Item => ({
        key: `added ${name}`,
        tone: "ok",
        word: "Added",
        text: <Named name={name}>{type}</Named>,
      }),
    ),
    ...columns.removed.map(
      ({ name, type }): Item => ({
        key: `removed ${name}`,
        tone: "warning",
        word: "Removed",
        text: <Named name={name}>{type}</Named>,
      }),
    ),
    ...columns.perhaps_renamed.map(
      ({ from, to }): Item => ({
        key: `renamed ${from}`,
        tone: "info",
        word: "Possibly renamed",
        text: <Named name={from}>is now called {to}(similar distribution)</Named>,
      }),
    ),
    ...columns.retyped.map(
      ({ name, from, to }): Item => ({
        key: `type ${name}`,
        tone: "warning",
        word: "Retyped",
        text: <Named name={name}>{`${from} → ${to}`}</Named>,
      }),
    ),
    ...columns.described.map(
      ({ name, from, to }): Item => ({
        key: `notes ${name}`,
        tone: "neutral",
        word: "New description",
        text: <Named name={name}>{notesText(from, to)}</Named>,
      }),
    ),
    ...(columns.reordered
      ? [{ key: "order", tone: "neutral" as const, word: "Moved", text: "The column order changed." }]
      : []),
    ...(key.from.join("\0") === key.to.join("\0")
      ? []
      : [
          { key: "key", tone: "info" as const, word: "Primary key", text: `${keyText(key.from)} → ${keyText(key.to)}` },
        ]),
  ];
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <code className="font-mono text-[0.8125rem]">{name}</code> <span className="text-muted">{children}</span>
    </>
  );
}

const keyText = (key: readonly string[]): string => key.join(", ") || "none";

type Notes = Comparison["columns"]["described"][number]["from"];

function notesText(from: Notes, to: Notes): string {
  const parts = [
    ...(from.description === to.description
      ? []
      : [`meaning “${from.description ?? "none"}” → “${to.description ?? "none"}”`]),
    ...(from.unit === to.unit ? [] : [`unit ${from.unit ?? "none"} → ${to.unit ?? "none"}`]),
    ...(from.nullable === to.nullable ? [] : [to.nullable ? "now has nulls" : "no longer has nulls"]),
  ];
  return parts.join("; ");
}
