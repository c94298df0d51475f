"use client";

import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { type ColumnChoice, isReadByFormat } from "@/lib/describe/published-recipe";
import type { InspectionReply } from "@/lib/schemas/inspection";

interface Props {
  found: InspectionReply;
  columns: readonly ColumnChoice[];
  onColumns: (columns: readonly ColumnChoice[]) => void;
}

/** What a column of text can be read as, besides what was proposed. */
const TYPES = ["string", "int64", "float64", "decimal(18,2)", "boolean", "date", "timestamp"] as const;
const EXAMPLES_SHOWN = 3;

/** The columns that were found, each with what a person can change about it. */
export function FoundColumns({ found, columns, onColumns }: Props) {
  const facts = new Map((found.columns ?? []).map((column) => [column.name, column]));
  const change = (name: string, choice: Partial<ColumnChoice>) =>
    onColumns(columns.map((column) => (column.found === name ? { ...column, ...choice } : column)));
  return (
    <DataTable
      label="Columns"
      columns={cells(facts, change)}
      rows={columns}
      keyOf={(column) => column.found}
      scrolls="min-w-[46rem]"
    />
  );
}

type Facts = ReadonlyMap<string, NonNullable<InspectionReply["columns"]>[number]>;

const cells = (
  facts: Facts,
  change: (name: string, choice: Partial<ColumnChoice>) => void,
): DataColumn<ColumnChoice>[] => [
  {
    id: "name",
    head: "Name",
    cell: (column) => (
      <input
        type="text"
        aria-label={`Name of ${column.found}`}
        value={column.name}
        maxLength={200}
        disabled={column.isLeftOut}
        onChange={(event) => change(column.found, { name: event.target.value })}
        className="field w-40 font-mono text-[0.8125rem]"
      />
    ),
  },
  { id: "type", head: "Type", cell: (column) => <TypeOf column={column} facts={facts} change={change} /> },
  {
    id: "why",
    head: "In the file",
    isRest: true,
    isWide: true,
    cell: ({ found }) => {
      const column = facts.get(found);
      if (!column) return null;
      return (
        <>
          {column.why}
          <span className="wrap-anywhere block text-muted text-xs">
            {column.examples.slice(0, EXAMPLES_SHOWN).join(" · ")}
            {column.nulls > 0 && ` · ${column.nulls} without a value`}
          </span>
        </>
      );
    },
  },
  {
    id: "key",
    head: "Key",
    cell: (column) => (
      <Tick
        label={`${column.found} is a key`}
        isOn={column.isKey}
        isOff={column.isLeftOut}
        onChange={(isKey) => change(column.found, { isKey })}
      />
    ),
  },
  {
    id: "required",
    head: "Required",
    cell: (column) => (
      <Tick
        label={`Each row has ${column.found}`}
        isOn={column.isRequired || column.isKey}
        isOff={column.isLeftOut || column.isKey}
        onChange={(isRequired) => change(column.found, { isRequired })}
      />
    ),
  },
  {
    id: "left-out",
    head: "Leave out",
    cell: (column) => (
      <Tick
        label={`Leave out ${column.found}`}
        isOn={column.isLeftOut}
        onChange={(isLeftOut) => change(column.found, { isLeftOut })}
      />
    ),
  },
];

interface TypeProps {
  column: ColumnChoice;
  facts: Facts;
  change: (name: string, choice: Partial<ColumnChoice>) => void;
}

function TypeOf({ column: { found, type, dateFormat, isLeftOut }, facts, change }: TypeProps) {
  const column = facts.get(found);
  const types = [...new Set([type, ...(column ? [column.type] : []), ...TYPES])];
  const formats = column?.date ?? [];
  return (
    <div className="space-y-1.5">
      <select
        aria-label={`Type of ${found}`}
        value={type}
        disabled={isLeftOut}
        onChange={(event) => change(found, { type: event.target.value })}
        className="field w-40"
      >
        {types.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {isReadByFormat(type) && formats.length > 1 && (
        <select
          aria-label={`Format of ${found}`}
          value={dateFormat ?? formats[0]}
          disabled={isLeftOut}
          onChange={(event) => change(found, { dateFormat: event.target.value })}
          className="field w-40"
        >
          {formats.map((format) => (
            <option key={format} value={format}>
              {formatWords(format)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** `month/day/year`, from `%-m/%-d/%Y`. */
const formatWords = (format: string): string =>
  format
    .replace(/%-?d/, "day")
    .replace(/%-?[mb]/, "month")
    .replace("%Y", "year");

interface TickProps {
  label: string;
  isOn: boolean;
  isOff?: boolean;
  onChange: (isOn: boolean) => void;
}

const Tick = ({ label, isOn, isOff, onChange }: TickProps) => (
  <input
    type="checkbox"
    aria-label={label}
    checked={isOn}
    disabled={isOff}
    onChange={(event) => onChange(event.target.checked)}
    className="mt-3"
  />
);
