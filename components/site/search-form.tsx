"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { SearchField } from "@/components/ui/search-field";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { Catalogue } from "@/lib/schemas/dataset";

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** Cycles from none (-1) through all options. */
const stepped = (at: number, step: 1 | -1, count: number): number => ((at + 2 + step + count) % (count + 1)) - 1;

/** A plain GET form to the directory that suggests datasets while you type. */
export function SearchForm() {
  const list = useId();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  /** The suggestion that the arrow keys chose; -1 for none. */
  const [at, setAt] = useState(-1);
  const found = useSuggestions(typed);
  const shown = isOpen ? found : undefined;
  const links = () => [...(form.current?.querySelectorAll<HTMLAnchorElement>("a[role=option]") ?? [])];

  const type = (text: string) => {
    setTyped(text);
    setAt(-1);
    setOpen(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: with new suggestions, none is chosen
  useEffect(() => setAt(-1), [found]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    // typed before hydration
    if (field.current?.value && field.current === document.activeElement) type(field.current.value);
  }, []);

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the input method handles the keys
    const step = STEPS[event.key];
    if (!shown) return step && setOpen(true);
    const options = links();
    if (event.key === "Escape") setOpen(false);
    else if (step) setAt(stepped(at, step, options.length));
    else if (event.key === "Enter" && options[at]) options[at].click();
    else return;
    event.preventDefault(); // Escape would empty the field
  };
  return (
    <search aria-label="Datasets">
      <form ref={form} action="/datasets" className="flex gap-2" onBlur={() => setOpen(false)}>
        <SearchField
          ref={field}
          autoComplete="off"
          spellCheck={false}
          role="combobox"
          aria-expanded={shown !== undefined}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={shown && at >= 0 ? `${list}-${at}` : undefined}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
        >
          <SuggestionList id={list} found={shown} at={at} />
          <p role="status" className="sr-only">
            {shown &&
              `${formatPlural(shown.datasets.length, "suggestion")} out of ${formatPlural(shown.total, "dataset")}`}
          </p>
        </SearchField>
      </form>
    </search>
  );
}

/** Links, so that they can be opened in every way that links can; the field keeps the focus. */
function SuggestionList({ id, found, at }: { id: string; found: Suggestions | undefined; at: number }) {
  return (
    <div id={id} role="listbox" aria-label="Suggested datasets" className="suggestions" hidden={!found}>
      {found?.datasets.map(({ slug, title, publisher }, nth) => (
        <Option key={slug} id={`${id}-${nth}`} href={`/datasets/${slug}`} isActive={nth === at}>
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate text-faint text-xs">{publisher.name}</span>
        </Option>
      ))}
      {found && found.total > found.datasets.length && (
        <Option
          id={`${id}-${found.datasets.length}`}
          href={`/datasets?${new URLSearchParams({ q: found.q })}`}
          isActive={at === found.datasets.length}
        >
          All {formatCount(found.total)} datasets
        </Option>
      )}
    </div>
  );
}

interface OptionProps {
  id: string;
  href: string;
  isActive: boolean;
  children: React.ReactNode;
}

const Option = ({ id, href, isActive, children }: OptionProps) => (
  <a
    id={id}
    href={href}
    role="option"
    tabIndex={-1}
    aria-selected={isActive}
    className="suggestion"
    // otherwise the field loses the focus and the list disappears before the click
    onMouseDown={(event) => event.preventDefault()}
  >
    {children}
  </a>
);

interface Suggestions {
  /** What was typed when they were requested. */
  q: string;
  datasets: readonly Pick<Catalogue["datasets"][number], "slug" | "title" | "publisher">[];
  total: number;
}

const PAUSE_MS = 150;

const SHOWN = 6;

const LETTERS_MIN = 2;

/** The first datasets that match what is typed, after a pause in typing; undefined if there are none to show. */
function useSuggestions(typed: string): Suggestions | undefined {
  const q = typed.trim();
  const [found, setFound] = useState<Suggestions>();
  useEffect(() => {
    if (q.length < LETTERS_MIN) return setFound(undefined);
    const abort = new AbortController();
    const timer = setTimeout(() => {
      // after a failure there are no suggestions; the search itself shows the error
      ask(q, abort.signal).then(setFound, () => undefined);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q]);
  return q.length >= LETTERS_MIN && found && found.datasets.length > 0 ? found : undefined;
}

async function ask(q: string, signal: AbortSignal): Promise<Suggestions | undefined> {
  const reply = await fetch(`/api/v2/public/datasets?${new URLSearchParams({ q, limit: String(SHOWN) })}`, { signal });
  if (!reply.ok) return undefined;
  const { datasets, total } = (await reply.json()) as Catalogue;
  return { q, datasets, total };
}
