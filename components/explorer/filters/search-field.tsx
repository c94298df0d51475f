"use client";

import { Search } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { SEARCH_MAX } from "@/lib/engine/grammar/bounds";

interface Props {
  text: string | undefined;
  onSearch: (text: string | undefined) => void;
}

/** Finds rows in which any string column contains the typed text, ignoring case. An empty field shows all rows. */
export function SearchField({ text = "", onSearch }: Props) {
  const [typed, setTyped] = useState(text);
  const take = () => {
    const next = typed.trim();
    if (next !== text) onSearch(next === "" ? undefined : next);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    take();
  };
  return (
    <search className="needs-script w-full sm:w-auto">
      <form onSubmit={submit} className="relative">
        <Search size={15} aria-hidden="true" className="absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
        <input
          type="search"
          className="field min-h-8 py-1 pl-8 sm:w-44"
          aria-label="Find in rows"
          placeholder="Find in rows"
          autoComplete="off"
          maxLength={SEARCH_MAX}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={take}
        />
      </form>
    </search>
  );
}
