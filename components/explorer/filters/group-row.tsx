"use client";

import { X } from "lucide-react";
import { useId, useState } from "react";
import { withSpan } from "@/components/explorer/view/view-changes";
import { BUCKETS, bucketsFor, isBucketName, takesZone } from "@/lib/engine/types/buckets";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import { UTC, zoneNames } from "@/lib/engine/types/zones";
import { enteredNumber, valueAsText } from "@/lib/view/filter-values";
import { type NamedGroup, namedGroup, type ViewColumn, type ViewGroup } from "@/lib/view/view";

interface Props {
  group: ViewGroup;
  column: ViewColumn;
  /** Names of the result's other columns. */
  taken: readonly string[];
  fault: string | undefined;
  onChange: (group: ViewGroup) => void;
  onRemove: () => void;
}

const OWN = "";
const RANGES = "ranges";

/** One group of a view: a column and, for times and numbers, the span that its values are grouped by. */
export function GroupRow({ group, column, taken, fault, onChange, onRemove }: Props) {
  const faultId = useId();
  const named = namedGroup(group);
  const [width, setWidth] = useState(named.width === undefined ? "" : valueAsText(named.width));
  const choose = (span: string) => {
    setWidth("");
    const ranges = span === RANGES ? { width: enteredNumber("") } : {};
    onChange(withSpan(group, isBucketName(span) ? { bucket: span } : ranges, taken));
  };
  return (
    <li className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 max-w-60 truncate text-sm">{named.column}</span>
        <SpanField group={named} column={column} onChoose={choose} />
        {named.bucket !== undefined && takesZone(named.bucket, columnTypeOf(column)) && (
          <ZoneField group={named} onChange={onChange} />
        )}
        {named.width !== undefined && (
          <input
            className="field w-28"
            inputMode="decimal"
            aria-label={`Width of the ranges of ${named.column}`}
            placeholder="100"
            autoComplete="off"
            value={width}
            aria-invalid={fault ? true : undefined}
            aria-describedby={faultId}
            onChange={(event) => {
              const text = event.target.value.trim();
              setWidth(text);
              onChange({ ...named, width: enteredNumber(text) });
            }}
          />
        )}
        <button
          type="button"
          className="icon-button"
          aria-label={`Stop grouping by ${named.column}`}
          onClick={onRemove}
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      <p id={faultId} role="alert" className="text-danger text-sm">
        {fault}
      </p>
    </li>
  );
}

interface SpanProps {
  group: NamedGroup;
  column: ViewColumn;
  onChoose: (span: string) => void;
}

/** Null for columns that can only be grouped by each value. */
function SpanField({ group, column, onChoose }: SpanProps) {
  const type = columnTypeOf(column);
  const buckets = bucketsFor(type).filter(isBucketName);
  if (buckets.length === 0 && !type.number) return null;
  return (
    <select
      className="field w-auto min-w-0 max-w-56 sm:max-w-none"
      aria-label={`Group ${group.column} by`}
      value={group.bucket ?? (group.width === undefined ? OWN : RANGES)}
      onChange={(event) => onChoose(event.target.value)}
    >
      {buckets.map((name) => (
        <option key={name} value={name}>
          by {BUCKETS[name].english}
        </option>
      ))}
      {isOrderable(type) && <option value={OWN}>each value</option>}
      {type.number && <option value={RANGES}>in ranges of</option>}
    </select>
  );
}

/** The zone whose local times are grouped, with the reader's own next to UTC. */
function ZoneField({
  group: { zone, ...group },
  onChange,
}: {
  group: NamedGroup;
  onChange: (group: ViewGroup) => void;
}) {
  const names = zoneNames().filter((name) => name !== UTC);
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <select
      className="field w-auto min-w-0 max-w-56"
      aria-label={`Time zone of ${group.column}`}
      value={zone ?? UTC}
      onChange={({ target: { value } }) => onChange(value === UTC ? group : { ...group, zone: value })}
    >
      <option value={UTC}>in UTC</option>
      {names.includes(own) && <option value={own}>in {own} (yours)</option>}
      {names
        .filter((name) => name !== own)
        .map((name) => (
          <option key={name} value={name}>
            in {name}
          </option>
        ))}
    </select>
  );
}
