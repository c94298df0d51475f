"use client";

import { X } from "lucide-react";
import { useId, useState } from "react";
import { enteredNumber, valueAsText } from "@/lib/view/filter-values";
import type { ViewTop } from "@/lib/view/view";

interface Props {
  top: ViewTop | undefined;
  /** What the first can be of each of. */
  names: readonly string[];
  /** How many of them at a time. */
  most: number;
  /** Whether an order says what comes first. */
  isOrdered: boolean;
  noun: "rows" | "groups";
  /** What is wrong with it, in the API's own words. */
  faultOf: (top: ViewTop) => string | undefined;
  onTop: (top: ViewTop | undefined) => void;
}

const USUAL_COUNT = "3";

/** Only the first rows, or groups, of each combination of some columns; what is wrong is not applied. */
export function TopFields({ top, names, most, isOrdered, noun, faultOf, onTop }: Props) {
  const faultId = useId();
  const [text, setText] = useState(top ? valueAsText(top.count) : USUAL_COUNT);
  const [fault, setFault] = useState<string>();
  const by = top?.by ?? [];
  const free = names.filter((name) => !by.includes(name));
  if (most < 1) return null;
  if (!isOrdered)
    return (
      <p className="mt-3 text-muted text-sm">
        To show only the first {noun} of each value, sort them before: the order says which come first.
      </p>
    );
  const take = (chosen: string[]) => {
    const next = { by: chosen, count: enteredNumber(text) };
    const found = faultOf(next);
    setFault(found);
    if (found === undefined) onTop(next);
  };
  const takeCount = () => {
    if (top && text !== valueAsText(top.count)) take(top.by);
  };
  const remove = (name: string) => {
    const kept = by.filter((other) => other !== name);
    if (top && kept.length > 0) onTop({ ...top, by: kept });
    else onTop(undefined);
  };
  return (
    <fieldset className="mt-3 min-w-0">
      <legend className="sr-only">Only the first of each</legend>
      <div className="flex flex-wrap items-center gap-2 text-muted text-sm">
        <label className="flex items-center gap-2">
          Only the first
          <input
            className="field w-16"
            inputMode="numeric"
            value={text}
            aria-invalid={fault !== undefined || undefined}
            aria-describedby={faultId}
            onChange={(event) => {
              setText(event.target.value.trim());
              setFault(undefined);
            }}
            onBlur={takeCount}
            onKeyDown={(event) => event.key === "Enter" && takeCount()}
          />
        </label>
        of each
        {by.map((name) => (
          <span key={name} className="filter-chip">
            <span className="truncate">{name}</span>
            <button type="button" aria-label={`Not of each ${name}`} onClick={() => remove(name)}>
              <X size={14} aria-hidden="true" />
            </button>
          </span>
        ))}
        {by.length < most && free.length > 0 && (
          <select
            className="field w-auto max-w-60"
            aria-label="The first of each"
            value=""
            onChange={(event) => take([...by, event.target.value])}
          >
            <option value="" disabled>
              {by.length === 0 ? "Choose a column" : "Add a column"}
            </option>
            {free.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </div>
      <p id={faultId} role="alert" className="text-danger text-sm">
        {fault}
      </p>
    </fieldset>
  );
}
