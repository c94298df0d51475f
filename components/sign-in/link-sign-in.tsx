"use client";

import { Notice } from "@/components/form/notice";
import { useLinkParameters } from "./link-token";

/** The end of a mailed link: says as whom, and signs in at the press of the button. */
export function LinkSignIn() {
  const found = useLinkParameters();
  if (found && !found.get("token")) return <Notice tone="problem">This link is incomplete. Open it from the mail once more, or ask for a new one.</Notice>;
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        As <strong className="break-words font-medium">{found?.get("email") ?? "…"}</strong>
      </p>
      <button type="button" onClick={() => found && window.location.assign(`/api/auth/callback/email?${found}`)} className="button button-primary">
        Sign in
      </button>
    </div>
  );
}
