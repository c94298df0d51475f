"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { SharedLink, ShortLinks } from "@/components/share/short-links";
import { Dialog } from "@/components/ui/dialog";
import type { View } from "@/lib/view/view";
import { ownText, viewSearch } from "@/lib/view/view-address";

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
        <ShortLinks
          key={viewSearch(view)}
          tableId={tableId}
          page="explorer"
          title={view.title ?? ""}
          queryOf={(title) => viewSearch({ ...view, title: ownText(title) || undefined }).slice(1)}
        />
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
