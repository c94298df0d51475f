"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type DirectoryState, directoryUrl, paramsOf, readDirectoryState } from "@/components/dataset/directory-url";
import { type DirectoryData, LoadFailure, loadDirectory, type Trouble } from "./directory-data";

interface Shown {
  /** The URL that the data belongs to. */
  url: string;
  data: DirectoryData;
}

const KEPT_MAX = 30;
const KEPT_MS = 60_000;

/**
 * What the directory shows: always the state of its URL, however that changed (typing, a filter, Back). `first` is what
 * the server rendered; other states are requested, and each request aborts the previous one.
 */
export function useDirectory(first: Shown) {
  const state = readDirectoryState(paramsOf(useSearchParams()));
  const url = directoryUrl(state);
  const [shown, setShown] = useState(first);
  const [trouble, setTrouble] = useState<Trouble>();
  const [attempt, setAttempt] = useState(0);
  const kept = useRef(new Map<string, { data: DirectoryData; at: number }>());
  const asked = useRef(url);
  const current = [shown, first].find((candidate) => candidate.url === url);
  const isCurrent = current !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL stands for the state; `attempt` repeats the request.
  useEffect(() => {
    if (isCurrent || asked.current !== url) setTrouble(undefined); // a retry keeps the notice until it succeeds
    asked.current = url;
    if (isCurrent) return;
    const known = kept.current.get(url);
    if (known && Date.now() - known.at < KEPT_MS) return setShown({ url, data: known.data });
    const abort = new AbortController();
    loadDirectory(state, abort.signal).then(
      (data) => {
        keep(kept.current, url, data);
        setTrouble(undefined);
        setShown({ url, data });
      },
      (error) => {
        if (abort.signal.aborted) return;
        if (error instanceof LoadFailure && error.trouble.kind === "rejected" && state.cursor) return dropCursor(state);
        setTrouble(error instanceof LoadFailure ? error.trouble : { kind: "unavailable", seconds: 5 });
      },
    );
    return () => abort.abort();
  }, [url, attempt]);

  useRetry(trouble, () => setAttempt((count) => count + 1));
  return {
    state,
    url,
    data: (current ?? shown).data,
    isPending: !isCurrent,
    trouble,
    retry() {
      setTrouble(undefined);
      setAttempt((count) => count + 1);
    },
  };
}

/** Retries automatically: when the wait is over, or as soon as the network is available again. */
function useRetry(trouble: Trouble | undefined, retry: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what to do is the same each time.
  useEffect(() => {
    if (!trouble || trouble.kind === "rejected") return;
    const timer = setTimeout(retry, trouble.seconds * 1000);
    window.addEventListener("online", retry);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", retry);
    };
  }, [trouble]);
}

function keep(kept: Map<string, { data: DirectoryData; at: number }>, url: string, data: DirectoryData): void {
  kept.set(url, { data, at: Date.now() });
  const oldest = kept.size > KEPT_MAX ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
}

/** A position in a listing that no longer exists: the listing starts over. */
const dropCursor = (state: DirectoryState): void =>
  window.history.replaceState(null, "", directoryUrl({ ...state, cursor: undefined }));
