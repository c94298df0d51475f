import Link from "next/link";
import { type DirectoryState, directoryUrl } from "./directory-url";

const SORTS = [
  { value: "relevance", label: "Best match" },
  { value: "published", label: "Newest" },
  { value: "title", label: "Title" },
] as const;

export type Sort = (typeof SORTS)[number]["value"];

export const readSort = (text: string | undefined): Sort | undefined => SORTS.find((sort) => sort.value === text)?.value;

/** The orders of the directory as links. Best match needs a search text. */
export function SortLinks({ state }: { state: DirectoryState }) {
  const fallback: Sort = state.q ? "relevance" : "published";
  const current = readSort(state.sort) ?? fallback;
  return (
    <nav aria-label="Sort" className="flex flex-wrap items-center gap-x-1 text-sm">
      {SORTS.filter((sort) => sort.value !== "relevance" || state.q).map((sort) => (
        <Link
          key={sort.value}
          href={directoryUrl({ ...state, sort: sort.value === fallback ? undefined : sort.value, cursor: undefined })}
          prefetch={false}
          aria-current={sort.value === current ? "true" : undefined}
          className={`rounded-md px-2.5 py-1 ${sort.value === current ? "bg-surface font-medium text-ink" : "text-muted hover:text-ink"}`}
        >
          {sort.label}
        </Link>
      ))}
    </nav>
  );
}
