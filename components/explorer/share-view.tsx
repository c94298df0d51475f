"use client";

import { Link2 } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { callApi } from "@/components/form/call-api";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import type { View } from "@/lib/view/view";
import { ownText, TITLE_MAX, viewSearch } from "@/lib/view/view-address";

interface Props {
  tableId: string;
  view: View;
  /** The workspace whose members alone can open it; undefined for a public table. */
  owner: string | undefined;
  /** Whether the reader is signed in and can create short links. */
  isSignedIn: boolean;
}

/** The view's link to copy, and a short one for people who are signed in. */
export function ShareView(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button button-small needs-script" onClick={() => setOpen(true)}>
        <Link2 size={15} aria-hidden="true" /> <span className="max-sm:sr-only">Share</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Share this view">
        <ShareForm {...props} />
      </Dialog>
    </>
  );
}

function ShareForm({ tableId, view, owner, isSignedIn }: Props) {
  const { href, pathname, search } = window.location;
  return (
    <div className="mt-3 space-y-4 text-sm">
      <SharedLink label="Link to this view" url={href} />
      {owner !== undefined && <p className="text-muted">The members of {owner} can open it when they are signed in.</p>}
      {isSignedIn ? (
        <ShortLinks key={viewSearch(view)} tableId={tableId} view={view} />
      ) : (
        <p className="text-muted">
          <a className="link" href={`/sign-in?callbackUrl=${encodeURIComponent(pathname + search)}`}>
            Sign in
          </a>{" "}
          to create a short link that anyone can open.
        </p>
      )}
    </div>
  );
}

function SharedLink({ label, url }: { label: string; url: string }) {
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
}

/** Creates short links, and lists those to this table so that they can be deleted. */
function ShortLinks({ tableId, view }: Pick<Props, "tableId" | "view">) {
  const [links, setLinks] = useState<readonly SavedLink[]>([]);
  const [made, setMade] = useState<SavedLink>();
  const [message, setMessage] = useState("");
  useEffect(() => {
    let isCurrent = true;
    void callApi<{ views: SavedLink[] }>("GET", VIEWS).then(({ data }) => {
      if (isCurrent && data) setLinks(data.views.filter((link) => link.table_id === tableId));
    });
    return () => {
      isCurrent = false;
    };
  }, [tableId]);
  const make = async (title: string) => {
    const query = viewSearch({ ...view, title: ownText(title) || undefined }).slice(1);
    const { data, problem } = await callApi<{ view: SavedLink }>("POST", VIEWS, { table_id: tableId, query });
    setMade(data?.view);
    if (data) setLinks((before) => [data.view, ...before]);
    setMessage(problem?.message ?? "");
  };
  const remove = async (link: SavedLink) => {
    const { data, problem } = await callApi("DELETE", `${VIEWS}/${link.id}`);
    if (data) setLinks((before) => before.filter(({ id }) => id !== link.id));
    if (data && made?.id === link.id) setMade(undefined);
    setMessage(problem?.message ?? "Short link deleted. It no longer works.");
  };
  return (
    <div className="space-y-2">
      <ShortLinkForm title={view.title ?? ""} onMake={make} />
      <p role="status">{message}</p>
      {made && <SharedLink label="Short link" url={made.url} />}
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
