"use client";

import { ArrowLeft, ArrowRight } from "lucide-react";
import { type MouseEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { formatCount } from "@/lib/kernel/format";
import { FIRST_ROW_MAX, rowIn, rowNumber, viewParameters, viewSearch } from "@/lib/view/view-address";
import { isAsStored } from "./answer/answer-state";
import type { ExplorerState } from "./use-explorer";

/** Links to the previous and next rows, and a field to go to a row by number. Works without JavaScript. */
export function RowPager({ state }: { state: ExplorerState }) {
  const { view, answer, present, loaded, isGrouped, table, change } = state;
  const box = useRef<HTMLElement>(null);
  const isUsed = useRef(false);
  // the link that was followed may not exist on the new page
  useEffect(() => {
    if (isUsed.current && document.activeElement === document.body) box.current?.focus();
  });
  const first = view.firstRow ?? 1;
  const hasMore = answer.answered !== undefined && answer.answered.next !== null;
  if (isGrouped || (first === 1 && !hasMore)) return null;
  const next = present === undefined ? first + LIMIT_DEFAULT : hasMore ? first + present.rows.length : undefined;
  const show = (row: number) => change({ ...view, firstRow: row > 1 ? row : undefined });
  const step = (row: number, words: ReactNode) => (
    <a
      className="button button-small"
      href={`${table.path}${viewSearch({ ...view, firstRow: row > 1 ? row : undefined })}`}
      rel="nofollow"
      onClick={(event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        isUsed.current = true;
        show(row);
      }}
    >
      {words}
    </a>
  );
  return (
    <nav ref={box} tabIndex={-1} aria-label="Rows" className="row-pager">
      {first > 1 &&
        step(
          Math.max(1, first - LIMIT_DEFAULT),
          <>
            <ArrowLeft size={14} aria-hidden="true" /> Previous rows
          </>,
        )}
      {next !== undefined &&
        next <= FIRST_ROW_MAX &&
        step(
          next,
          <>
            Next rows <ArrowRight size={14} aria-hidden="true" />
          </>,
        )}
      <GoToRow key={first} state={state} total={loaded?.total ?? table.rows} onRow={show} />
    </nav>
  );
}

interface GoProps {
  state: ExplorerState;
  total: number;
  onRow: (row: number) => unknown;
}

function GoToRow({ state: { view, table, answer }, total, onRow }: GoProps) {
  const [rejected, setRejected] = useState<string>();
  const most = Math.min(total, FIRST_ROW_MAX);
  const beyond = isAsStored(view) && table.published ? placeWithin(rejected, table.rows) : undefined;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("row"));
    const row = rowNumber(typed);
    if (row === undefined || row > most) return setRejected(typed);
    setRejected(undefined);
    onRow(row);
  };
  return (
    <form action={table.path} onSubmit={submit} className="flex flex-wrap items-center gap-2">
      {[...viewParameters({ ...view, firstRow: undefined })].map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parameters may be repeated.
        <input key={`${name}:${at}`} type="hidden" name={name} value={value} />
      ))}
      <label className="flex items-center gap-2 text-muted">
        Go to row
        <input
          name="row"
          className="field min-h-8 w-36 py-1 tabular-nums"
          inputMode="numeric"
          autoComplete="off"
          required
          maxLength={15}
          placeholder={`1 to ${formatCount(most)}`}
          aria-invalid={rejected !== undefined || undefined}
          aria-describedby={rejected === undefined ? undefined : "row-fault"}
        />
      </label>
      <button type="submit" className="button button-small">
        Go
      </button>
      {rejected !== undefined && (
        <p id="row-fault" role="alert" className="text-danger">
          Enter a number from 1 to {formatCount(most)}.
          {beyond !== undefined && (
            <>
              {" "}
              <a className="link" href={rowIn(table.path, beyond, answer.answered?.facts.versionId)}>
                Open row {formatCount(beyond)} on its own page
              </a>
            </>
          )}
        </p>
      )}
    </form>
  );
}

/** A row that the table has but that no page can start at. */
function placeWithin(typed: string | undefined, rows: number): number | undefined {
  const row = Number(typed?.replaceAll(/[\s,.]/g, ""));
  return Number.isSafeInteger(row) && row > FIRST_ROW_MAX && row <= rows ? row : undefined;
}
