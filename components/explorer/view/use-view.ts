"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo, useSyncExternalStore } from "react";
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
  const search = useSearch(path);
  const { view, faults } = useMemo(() => readView(new URLSearchParams(search), columns), [search, columns]);
  const show = useCallback(
    (next: View, how: "push" | "replace" = "push") => {
      const address = `${path}${viewSearch(next)}`;
      if (how === "replace") window.history.replaceState(null, "", address);
      else window.history.pushState(null, "", address);
      for (const follow of followers) follow();
    },
    [path],
  );
  return { view, faults, show };
}

/**
 * The search of the page's address as it is now. Next's own comes with a transition, which a busy browser renders
 * later: what is chosen in between would be added to the view before, and the first choice be lost.
 */
function useSearch(path: string): string {
  const rendered = useSearchParams().toString();
  const now = () =>
    window.location.pathname === path ? new URLSearchParams(window.location.search).toString() : rendered;
  return useSyncExternalStore(follow, now, () => rendered);
}

const followers = new Set<() => void>();

function follow(change: () => void): () => void {
  followers.add(change);
  window.addEventListener("popstate", change);
  return () => {
    followers.delete(change);
    window.removeEventListener("popstate", change);
  };
}
