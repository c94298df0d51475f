import { Search } from "lucide-react";

/** A plain GET form to the directory; `kept` are parameters that the search must not lose. */
export function SearchForm({ q = "", kept = {}, autoFocus = false }: { q?: string; kept?: Readonly<Record<string, string>>; autoFocus?: boolean }) {
  return (
    <search aria-label="Datasets">
      <form action="/datasets" className="flex gap-2">
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="relative min-w-0 flex-1">
          <Search size={18} aria-hidden="true" className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3.5 text-faint" />
          <input
            type="search"
            name="q"
            defaultValue={q}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: a search without results leaves the reader nothing else to do.
            autoFocus={autoFocus}
            aria-label="Search titles, descriptions, publishers, topics and columns"
            placeholder="Flights, earthquakes, licences…"
            className="h-12 w-full rounded-md border border-line-strong bg-raised pr-3 pl-10.5 text-base text-ellipsis placeholder:text-faint hover:border-accent"
          />
        </div>
        <button type="submit" className="button button-primary min-h-12 px-5">
          Search
        </button>
      </form>
    </search>
  );
}
