"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useLinkParameters } from "./link-token";

/** The target of an emailed link: shows the account, and signs in when the button is pressed. */
export function LinkSignIn() {
  const found = useLinkParameters();
  if (found && !found.get("token"))
    return <Notice tone="danger">This link is incomplete. Open it again from your email or request a new one.</Notice>;
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        As <strong className="break-words font-medium">{found?.get("email") ?? "…"}</strong>
      </p>
      <Button look="primary" onClick={() => found && window.location.assign(`/api/auth/callback/email?${found}`)}>
        Sign in
      </Button>
    </div>
  );
}
