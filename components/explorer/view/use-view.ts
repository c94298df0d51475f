"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { View, ViewColumn } from "@/lib/view/view";
import { type AddressFault, readView, viewSearch } from "@/lib/view/view-address";

export interface ViewState {
  view: View;
  faults: readonly AddressFault[];
  /** Shows another view, as a step that Back undoes or in place of the current one. */
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
 * The current query string of the page's URL. Next.js updates its own in a transition, which a busy browser renders
 * later: a choice made in between would be added to the previous view, and the first choice would be lost.
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
