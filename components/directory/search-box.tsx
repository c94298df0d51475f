"use client";

import { type FormEvent, useEffect, useRef } from "react";
import { type DirectoryState, directoryParams, directoryUrl } from "@/components/dataset/directory-url";
import { SearchField } from "@/components/ui/search-field";

const PAUSE_MS = 150;
/** Typing after a longer pause is a new search with its own history entry. */
const BURST_MS = 1500;

type Timer = ReturnType<typeof setTimeout> | undefined;

/**
 * The search field of the directory: searches while you type; without JavaScript, it is a form. It shows the search in
 * the URL.
 */
export function SearchBox({ state }: { state: DirectoryState }) {
  const field = useRef<HTMLInputElement>(null);
  const search = useTypedSearch(state, field);
  const { q = "", cursor: _cursor, ...kept } = state;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.now();
  };
  return (
    <search aria-label="Datasets">
      <form action="/datasets" className="flex gap-2" onSubmit={submit}>
        {[...directoryParams(kept)].map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <SearchField ref={field} defaultValue={q} onInput={search.soon} autoComplete="off" spellCheck={false} />
      </form>
    </search>
  );
}

/** Writes what is typed into the URL: one history entry per burst of typing. */
function useTypedSearch(state: DirectoryState, field: React.RefObject<HTMLInputElement | null>) {
  const latest = useRef(state);
  latest.current = state;
  const typed = useRef(state.q);
  const timers = useRef<{ pause?: Timer; burst?: Timer }>({});

  const now = () => {
    clearTimeout(timers.current.pause);
    const q = field.current?.value.trim() || undefined;
    typed.current = q;
    const { sort, ...rest } = latest.current;
    const url = directoryUrl({
      ...rest,
      sort: q ? sort : sort && sort !== "relevance" ? sort : undefined,
      q,
      cursor: undefined,
    });
    if (q === latest.current.q) return;
    window.history[timers.current.burst ? "replaceState" : "pushState"](null, "", url);
    clearTimeout(timers.current.burst);
    timers.current.burst = setTimeout(() => {
      timers.current.burst = undefined;
    }, BURST_MS);
  };
  const soon = () => {
    clearTimeout(timers.current.pause);
    timers.current.pause = setTimeout(now, PAUSE_MS);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before hydration.
  useEffect(() => {
    if (field.current && field.current.value.trim() !== (state.q ?? "")) now();
    return () => clearTimeout(timers.current.pause);
  }, []);
  useEffect(() => {
    if (!field.current || state.q === typed.current) return;
    typed.current = state.q;
    field.current.value = state.q ?? "";
  }, [state.q, field]);
  return { now, soon };
}
