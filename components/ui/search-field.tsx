import { Search } from "lucide-react";
import type { ComponentProps } from "react";

/** Attributes that a form can set on the field; its name, style and label are fixed. */
type FieldProps = Omit<ComponentProps<"input">, "type" | "name" | "maxLength" | "placeholder" | "className">;

/** The large search field for datasets, with its button; the surrounding form decides what a search does. */
export function SearchField({ children, ...field }: FieldProps) {
  return (
    <>
      <div className="relative min-w-0 flex-1">
        <Search
          size={18}
          aria-hidden="true"
          className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3.5 text-faint"
        />
        <input
          {...field}
          type="search"
          name="q"
          maxLength={200}
          aria-label="Search titles, descriptions, publishers, topics and columns"
          placeholder="Flights, earthquakes, licences…"
          className={
            "h-12 w-full rounded-md border border-line-strong bg-raised pr-3 pl-10.5 text-base text-ellipsis " +
            "placeholder:text-faint hover:border-accent"
          }
        />
        {children}
      </div>
      <button type="submit" className="button button-primary min-h-12 px-5">
        Search
      </button>
    </>
  );
}
