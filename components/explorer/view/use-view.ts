"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import type { View, ViewColumn } from "./view";
import { type AddressFault, readView, viewSearch } from "./view-address";

export interface ViewState {
  view: View;
  faults: readonly AddressFault[];
  /** Shows another view: a step that Back undoes, unless it replaces this one. */
  show: (next: View, how?: "push" | "replace") => void;
}

/** The view that the URL describes; the URL is its only storage. */
export function useView(path: string, columns: readonly ViewColumn[]): ViewState {
  const search = useSearchParams().toString();
  const { view, faults } = useMemo(() => readView(new URLSearchParams(search), columns), [search, columns]);
  const show = useCallback(
    (next: View, how: "push" | "replace" = "push") => {
      const address = `${path}${viewSearch(next)}`;
      if (how === "replace") window.history.replaceState(null, "", address);
      else window.history.pushState(null, "", address);
    },
    [path],
  );
  return { view, faults, show };
}
