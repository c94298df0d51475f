import { type DirectoryState, directoryUrl } from "@/components/dataset/directory-url";

const SORTS = [
  { value: "relevance", label: "Best match" },
  { value: "published", label: "Newest" },
  { value: "title", label: "Title" },
] as const;

/** The orders of the directory as links. Best match requires search text. */
export function SortLinks({ state }: { state: DirectoryState }) {
  const fallback = state.q ? "relevance" : "published";
  const current = state.q || state.sort !== "relevance" ? (state.sort ?? fallback) : fallback;
  return (
    <nav aria-label="Sort" className="flex flex-wrap items-center gap-x-1 text-sm">
      {SORTS.filter((sort) => sort.value !== "relevance" || state.q).map((sort) => (
        <a
          key={sort.value}
          href={directoryUrl({ ...state, sort: sort.value === fallback ? undefined : sort.value, cursor: undefined })}
          aria-current={sort.value === current ? "true" : undefined}
          className={
            "rounded-md px-2.5 py-1 " +
            `${sort.value === current ? "bg-surface font-medium text-ink" : "text-muted hover:text-ink"}`
          }
        >
          {sort.label}
        </a>
      ))}
    </nav>
  );
}
