"use client";

import { useEffect, useId, useRef } from "react";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { type FilterDraft, type FilteredColumn, valueHint } from "./filter-draft";

interface Props {
  draft: FilterDraft;
  column: FilteredColumn;
  /** Id of the error message. */
  faultId: string | undefined;
  isFocused: boolean;
  onChange: (draft: FilterDraft) => void;
}

/** The fields for a filter's values: as many as the operator takes, each as the column's type requires. */
export function FilterFields({ draft, column, faultId, isFocused, onChange }: Props) {
  const first = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row takes the focus once, when it appears.
  useEffect(() => {
    if (isFocused) first.current?.focus();
  }, []);
  const named = { "aria-invalid": faultId ? true : undefined, "aria-describedby": faultId };
  switch (OPERATORS[draft.operator].arity) {
    case "none":
      return <span className="filter-values" />;
    case "many":
      return (
        <div className="filter-values">
          <textarea
            {...named}
            ref={first as never}
            className="field"
            rows={3}
            aria-label="Values, one per line"
            placeholder="One value per line"
            value={draft.lines}
            onChange={(event) => onChange({ ...draft, lines: event.target.value })}
          />
        </div>
      );
    case "two":
      return (
        <div className="filter-values">
          <ValueField
            {...named}
            column={column}
            label="From"
            text={draft.low}
            take={first}
            onText={(low) => onChange({ ...draft, low })}
          />
          <span className="text-muted text-sm">and</span>
          <ValueField
            {...named}
            column={column}
            label="To"
            text={draft.high}
            onText={(high) => onChange({ ...draft, high })}
          />
        </div>
      );
    case "one":
      return (
        <div className="filter-values">
          <ValueField
            {...named}
            column={column}
            label="Value"
            text={draft.low}
            take={first}
            onText={(low) => onChange({ ...draft, low })}
          />
        </div>
      );
  }
}

/** Labels of the calendars next to the fields. */
const CALENDARS = { Value: "Calendar", From: "Calendar, first day", To: "Calendar, last day" } as const;

/** Whether a calendar day is a value of the column, or part of one. */
function isDay(column: FilteredColumn): boolean {
  const { family } = columnTypeOf(column);
  return family === "date" || family === "timestamp";
}

interface FieldProps {
  column: FilteredColumn;
  label: keyof typeof CALENDARS;
  text: string;
  take?: React.RefObject<HTMLElement | null>;
  onText: (text: string) => void;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
}

function ValueField({ column, label, text, take, onText, ...named }: FieldProps) {
  const list = useId();
  const common = { ...named, className: "field", "aria-label": label, ref: take as never };
  const { editor } = columnTypeOf(column).view;
  if (editor === "truth")
    return (
      <select {...common} value={text} onChange={(event) => onText(event.target.value)}>
        <option value="">Choose</option>
        <option>true</option>
        <option>false</option>
      </select>
    );
  const suggestions =
    columnTypeOf(column).family === "text" ? (column.profile?.top_values ?? []).map(({ value }) => String(value)) : [];
  return (
    <>
      <input
        {...common}
        type="text"
        inputMode={editor === "number" ? "decimal" : "text"}
        autoComplete="off"
        spellCheck={false}
        placeholder={valueHint(column.type)}
        list={suggestions.length > 0 ? list : undefined}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {isDay(column) && (
        <input
          type="date"
          className="field day-field"
          aria-label={CALENDARS[label]}
          value={/^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? ""}
          onChange={(event) => onText(event.target.value)}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}
