import { SearchField } from "@/components/ui/search-field";

/** A plain GET form to the directory. */
export function SearchForm() {
  return (
    <search aria-label="Datasets">
      <form action="/datasets" className="flex gap-2">
        <SearchField />
      </form>
    </search>
  );
}
