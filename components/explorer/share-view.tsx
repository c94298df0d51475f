"use client";

import { Link2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { callApi } from "@/components/form/call-api";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { ownText, TITLE_MAX } from "./view/read-parts";
import type { View } from "./view/view";
import { viewSearch } from "./view/view-address";

interface Props {
  tableId: string;
  view: View;
  /** Whether the reader is signed in, and may make short links. */
  isSignedIn: boolean;
}

/** The view's link to copy, and a short one for people who are signed in. */
export function ShareView(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button button-small needs-script" onClick={() => setOpen(true)}>
        <Link2 size={15} aria-hidden="true" /> Share
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Share this view">
        <ShareForm {...props} />
      </Dialog>
    </>
  );
}

function ShareForm({ tableId, view, isSignedIn }: Props) {
  const { href, pathname, search } = window.location;
  return (
    <div className="mt-3 space-y-4 text-sm">
      <SharedLink label="Link to this view" url={href} />
      {isSignedIn ? (
        <ShortLink key={viewSearch(view)} tableId={tableId} view={view} />
      ) : (
        <p className="text-muted">
          <a className="link" href={`/sign-in?callbackUrl=${encodeURIComponent(pathname + search)}`}>
            Sign in
          </a>{" "}
          to make a short link. Everybody can open it.
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

interface Saved {
  view: { id: string; url: string };
}

function ShortLink({ tableId, view }: Omit<Props, "isSignedIn">) {
  const [title, setTitle] = useState(view.title ?? "");
  const [saved, setSaved] = useState<Saved["view"]>();
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const query = viewSearch({ ...view, title: ownText(title) || undefined }).slice(1);
    const answer = await callApi<Saved>("POST", "/api/account/views", { table_id: tableId, query });
    setBusy(false);
    setSaved(answer.data?.view);
    setProblem(answer.problem?.message ?? "");
  };
  return (
    <form className="space-y-2" onSubmit={save}>
      <label className="block">
        Title
        <input
          className="field mt-1"
          maxLength={TITLE_MAX}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <button type="submit" className="button button-small" disabled={isBusy}>
        Make a short link
      </button>
      <p role="status">{problem}</p>
      {saved && <SharedLink label="Short link" url={saved.url} />}
    </form>
  );
}
