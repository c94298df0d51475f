"use client";

import { useState } from "react";
import type { View, ViewColumn } from "@/components/explorer/view/view";
import { queryText, viewQuery } from "@/components/explorer/view/view-query";
import { formatPlural } from "@/lib/kernel/format";
import { askPage, type Route } from "./ask";
import { readRow } from "./reply-text";

/** Counts the rows that a filtered view has, when asked: it takes a query from the quota. */
export function CountMatches({ view, columns, route }: { view: View; columns: readonly ViewColumn[]; route: Route }) {
  const [text, setText] = useState<string>();
  const count = async () => {
    setText("Counting…");
    const asked = await askPage(route, queryText(viewQuery(countOf(view), columns)), new AbortController().signal);
    const [row] = asked?.data?.rows ?? [];
    setText(
      row === undefined
        ? (asked?.problem?.message ?? "")
        : `${formatPlural(Number(readRow(row).matches), "row")} match${Number(readRow(row).matches) === 1 ? "es" : ""}`,
    );
  };
  return text === undefined ? (
    <button type="button" className="link needs-script" onClick={() => void count()}>
      Count matching rows
    </button>
  ) : (
    <span role="status">{text}</span>
  );
}

const countOf = ({ filters, version }: View): View => ({
  filters,
  version,
  sort: [],
  group: [],
  aggregates: [{ function: "count", alias: "matches" }],
});
