"use client";

import { useState } from "react";
import { formatPlural } from "@/lib/format";
import { askPage, type Route } from "./ask";
import { readRow } from "./reply-text";
import type { View, ViewColumn } from "./view";
import { queryText, viewQuery } from "./view-query";

/** Counts the rows that a filtered view has, when asked: it costs a query of the allowance. */
export function CountMatches({ view, columns, route }: { view: View; columns: readonly ViewColumn[]; route: Route }) {
  const [said, setSaid] = useState<string>();
  const count = async () => {
    setSaid("Counting…");
    const asked = await askPage(route, queryText(viewQuery(countOf(view), columns)), new AbortController().signal);
    const [row] = asked?.data?.rows ?? [];
    setSaid(
      row === undefined
        ? (asked?.problem?.message ?? "")
        : `${formatPlural(Number(readRow(row).matches), "row")} in all`,
    );
  };
  return said === undefined ? (
    <button type="button" className="link needs-script" onClick={() => void count()}>
      Count them
    </button>
  ) : (
    <span role="status">{said}</span>
  );
}

const countOf = ({ filters, version }: View): View => ({
  filters,
  version,
  sort: [],
  group: [],
  aggregates: [{ function: "count", alias: "matches" }],
});
