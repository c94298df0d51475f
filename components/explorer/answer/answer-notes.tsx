"use client";

import { Info } from "lucide-react";
import { namedGroup, type View, type ViewFilter } from "@/lib/view/view";
import type { AnswerNote } from "./reply-text";

interface Props {
  notes: readonly AnswerNote[];
  /** The view that was answered. */
  view: View;
  onView: (view: View) => void;
}

/** What in an answer could mislead, in the service's words, each with a button for what it proposes. */
export function AnswerNotes({ notes: all, view, onView }: Props) {
  const notes = all.filter((note) => !isSaidByChart(note, view));
  if (notes.length === 0) return null;
  return (
    <ul aria-label="Notes on this result" className="answer-notes">
      {notes.map((note) => (
        <li key={`${note.code} ${note.pointer}`}>
          <Info size={16} aria-hidden="true" />
          <p>
            {note.message}
            {remedies(note, view).map(({ label, next }) => (
              <button
                key={label}
                type="button"
                className="button button-small needs-script"
                onClick={() => onView(next)}
              >
                {label}
              </button>
            ))}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Charts say themselves, also where they are saved, which spans of their axis are incomplete. */
export function isSaidByChart({ code, pointer }: AnswerNote, { chart, group_by }: View): boolean {
  const [, , at] = pointer.split("/");
  const group = group_by[Number(at)];
  if (code !== "partial_span" || !chart || !group) return false;
  return group_by.length === 1 || namedGroup(group).as === chart.x;
}

interface Remedy {
  label: string;
  next: View;
}

/** The views that a note proposes instead. */
export function remedies({ code, pointer, values = [] }: AnswerNote, view: View): Remedy[] {
  const [, part, at, member, item] = pointer.split("/");
  const index = Number(at);
  const filter = part === "filters" ? view.filters[index] : undefined;
  if (!filter) return [];
  const withFilter = (next: ViewFilter): View => ({ ...view, filters: view.filters.with(index, next) });
  if (code === "other_case") return [{ label: "Ignore case", next: withFilter({ ...filter, ignore_case: true }) }];
  if (code !== "value_not_found" || member !== "value") return [];
  return values.flatMap((value) => {
    const changed = withValue(filter, item, value);
    return changed ? [{ label: `Use “${value}”`, next: withFilter(changed) }] : [];
  });
}

/** A filter with another value: its only one, or one item of its list. */
function withValue(filter: ViewFilter, item: string | undefined, value: string): ViewFilter | undefined {
  if (Array.isArray(filter.value))
    return item === undefined ? undefined : { ...filter, value: filter.value.with(Number(item), value) };
  return { ...filter, value };
}
