"use client";

import { type FormEvent, useEffect, useState } from "react";
import { callApi } from "@/components/form/call-api";
import { CopyButton } from "@/components/ui/copy-button";
import { TITLE_MAX } from "@/lib/view/view-address";

/** A link to copy. */
export function SharedLink({ label, url }: { label: string; url: string }) {
  return (
    <div className="flex flex-wrap items-end gap-2">
      <label className="min-w-0 grow">
        {label}
        <input className="field mt-1" readOnly value={url} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton text={url} label={label} look="button button-small">
        Copy
      </CopyButton>
    </div>
  );
}

interface SavedLink {
  id: string;
  url: string;
  title: string | null;
  table_id: string;
  page: LinkedPage;
}

type LinkedPage = "explorer" | "sql";

interface ShortLinksProps {
  /** The table that the page is about, or the first of several. */
  tableId: string;
  page: LinkedPage;
  title: string;
  /** The query string of the page's URL, under a title. */
  queryOf: (title: string) => string;
}

/** Creates short links, and lists those to this table so that they can be deleted. */
export function ShortLinks({ tableId, page, title: before, queryOf }: ShortLinksProps) {
  const [links, setLinks] = useState<readonly SavedLink[]>([]);
  const [made, setMade] = useState<SavedLink>();
  const [message, setMessage] = useState("");
  useEffect(() => {
    let isCurrent = true;
    void callApi<{ views: SavedLink[] }>("GET", VIEWS).then(({ data }) => {
      if (isCurrent && data) setLinks(data.views.filter((link) => link.table_id === tableId && link.page === page));
    });
    return () => {
      isCurrent = false;
    };
  }, [tableId, page]);
  const make = async (title: string) => {
    const body = { table_id: tableId, page, query: queryOf(title) };
    const { data, problem } = await callApi<{ view: SavedLink }>("POST", VIEWS, body);
    setMade(data?.view);
    if (data) setLinks((others) => [data.view, ...others]);
    setMessage(problem?.message ?? "");
  };
  const remove = async (link: SavedLink) => {
    const { data, problem } = await callApi("DELETE", `${VIEWS}/${link.id}`);
    if (data) setLinks((others) => others.filter(({ id }) => id !== link.id));
    if (data && made?.id === link.id) setMade(undefined);
    setMessage(problem?.message ?? "Short link deleted. It no longer works.");
  };
  return (
    <div className="space-y-2">
      <ShortLinkForm title={before} onMake={make} />
      <p role="status">{message}</p>
      {made && <SharedLink label="Short link" url={made.url} />}
      {made?.page === "explorer" && (
        <p>
          <a className="link" href={`/settings/watches?view=${made.id}#new`}>
            Tell me when it changes
          </a>
        </p>
      )}
      <OwnLinks links={links} onDelete={remove} />
      <p>
        <a className="link" href="/settings/views">
          All your saved views
        </a>
      </p>
    </div>
  );
}

const VIEWS = "/api/account/views";

function ShortLinkForm({ title, onMake }: { title: string; onMake: (title: string) => Promise<void> }) {
  const [draft, setDraft] = useState(title);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await onMake(draft);
    setBusy(false);
  };
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <label className="min-w-0 grow">
        Title
        <input
          className="field mt-1"
          maxLength={TITLE_MAX}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </label>
      <button type="submit" className="button button-small" disabled={isBusy}>
        Create short link
      </button>
    </form>
  );
}

interface OwnLinksProps {
  links: readonly SavedLink[];
  onDelete: (link: SavedLink) => Promise<void>;
}

function OwnLinks({ links, onDelete }: OwnLinksProps) {
  if (links.length === 0) return null;
  return (
    <details>
      <summary className="text-muted">Your short links to this table ({links.length})</summary>
      <ul className="mt-2 max-h-48 space-y-1 overflow-y-auto">
        {links.map((link) => (
          <li key={link.id} className="flex flex-wrap items-center justify-between gap-2">
            <a className="link wrap-anywhere" href={link.url}>
              {link.title ?? link.id}
            </a>
            <button
              type="button"
              className="button button-small"
              aria-label={`Delete the short link ${link.title ?? link.id}`}
              onClick={() => onDelete(link)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
