"use client";

import { ArrowUp, X } from "lucide-react";
import { useState } from "react";
import { ORDER_MAX } from "@/lib/engine/grammar/bounds";
import type { ViewOrder, ViewTop } from "@/lib/view/view";
import { TopFields } from "./top-fields";

interface Props {
  order: readonly ViewOrder[];
  /** Names that the result can be sorted by. */
  names: readonly string[];
  /** The most rows that are shown; absent for all. */
  limit: number | undefined;
  limitMax: number;
  noun: "rows" | "groups";
  top: ViewTop | undefined;
  /** Columns or groups of which only the first can be shown, and how many of them at a time. */
  topNames: readonly string[];
  topMost: number;
  topFault: (top: ViewTop) => string | undefined;
  onOrder: (order: readonly ViewOrder[]) => void;
  onTop: (top: ViewTop | undefined) => void;
  onLimit: (limit: number | undefined) => void;
  onClose: () => void;
}

/** The order of the rows, key by key; each change applies immediately. */
export function SortEditor({ order, names, limit, limitMax, noun, onOrder, onLimit, onClose, ...rest }: Props) {
  const free = names.filter((name) => !order.some((key) => key.column === name));
  const change = (at: number, key: ViewOrder) => onOrder(order.map((other, index) => (index === at ? key : other)));
  const raise = (at: number) => onOrder(order.toSpliced(at - 1, 2, ...order.slice(at - 1, at + 1).reverse()));
  return (
    <section className="editor" aria-label="Order">
      <p className="editor-hint">Nulls are always last. Ties keep the table’s order.</p>
      <ul className="space-y-2.5">
        {order.map((key, at) => (
          <li key={key.column} className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
            <span className="w-16 shrink-0 text-muted text-sm">{at === 0 ? "Sort by" : "then by"}</span>
            <span className="min-w-32 flex-1 truncate text-sm sm:max-w-60">{key.column}</span>
            <select
              className="field w-auto"
              aria-label={`Direction of ${key.column}`}
              value={key.direction}
              onChange={(event) => change(at, { ...key, direction: event.target.value === "desc" ? "desc" : "asc" })}
            >
              <option value="asc">ascending</option>
              <option value="desc">descending</option>
            </select>
            <button
              type="button"
              className="icon-button"
              disabled={at === 0}
              aria-label={`Move ${key.column} up`}
              onClick={() => raise(at)}
            >
              <ArrowUp size={16} aria-hidden="true" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={`Stop sorting by ${key.column}`}
              onClick={() => onOrder(order.filter((other) => other !== key))}
            >
              <X size={16} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-2.5">
        {free.length > 0 && order.length < ORDER_MAX && (
          <select
            className="field w-auto max-w-60"
            aria-label="Sort by another column"
            value=""
            onChange={(event) => onOrder([...order, { column: event.target.value, direction: "asc" }])}
          >
            <option value="" disabled>
              {order.length === 0 ? "Choose a column" : "Add a column"}
            </option>
            {free.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {names.length === 0 && <span className="text-muted text-sm">A single row cannot be sorted.</span>}
      </div>
      <TopFields
        top={rest.top}
        names={rest.topNames}
        most={rest.topMost}
        isOrdered={order.length > 0}
        noun={noun}
        faultOf={rest.topFault}
        onTop={rest.onTop}
      />
      <div className="editor-buttons">
        <LimitField limit={limit} most={limitMax} noun={noun} onLimit={onLimit} />
        <span className="flex-1" />
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}

interface LimitProps {
  limit: number | undefined;
  most: number;
  noun: string;
  onLimit: (limit: number | undefined) => void;
}

/** Applied on blur or Enter, because a half-typed number is not the limit. */
function LimitField({ limit, most, noun, onLimit }: LimitProps) {
  const [text, setText] = useState(limit === undefined ? "" : String(limit));
  const isGood = text === "" || (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most);
  const take = () => {
    const next = text === "" ? undefined : Number(text);
    if (isGood && next !== limit) onLimit(next);
  };
  return (
    <label className="flex items-center gap-2 text-muted text-sm">
      Show at most
      <input
        className="field w-24"
        inputMode="numeric"
        placeholder="all"
        title={isGood ? undefined : `A whole number from 1 to ${most}`}
        value={text}
        aria-invalid={!isGood || undefined}
        onChange={(event) => setText(event.target.value.trim())}
        onBlur={take}
        onKeyDown={(event) => event.key === "Enter" && take()}
      />
      {noun}
    </label>
  );
}
