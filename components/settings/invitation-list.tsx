import { ConfirmButton } from "@/components/form/confirm-button";
import { Badge } from "@/components/ui/badge";
import { EmailAddress } from "@/components/ui/email-address";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay, formatUtc } from "@/lib/kernel/format";
import type { Invitations } from "@/lib/schemas/workspace";

/** Invitation links that have not been used yet. */
export function InvitationList({
  invitations,
  api,
  now,
}: {
  invitations: Invitations["invitations"];
  api: string;
  now: Date;
}) {
  if (invitations.length === 0) return <p className="mt-5 text-muted text-sm">No open invitations.</p>;
  return (
    <ul aria-label="Open invitations" className="rows mt-5 border-line border-t">
      {invitations.map(({ id, role, email, invited_by: by, created_at: made, expires_at: until }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="min-w-0">
            <p className="break-words font-medium">
              {email ? <EmailAddress text={email} /> : "Anyone with the link"} <Badge>{role}</Badge>
            </p>
            <p className="mt-0.5 break-words text-muted text-xs">
              Made <RelativeTime at={made} now={now} />
              {by && <> by {by}</>}, valid until{" "}
              <time dateTime={until} title={formatUtc(until)}>
                {formatDay(until)}
              </time>
            </p>
          </div>
          <ConfirmButton
            path={`${api}/invitations/${id}`}
            label="Revoke"
            describes={`the invitation for ${email ?? "anyone with the link"}`}
            title="Revoke this invitation?"
            confirm="Revoke invitation"
            done="Invitation revoked."
            focusAfter="invitations"
          >
            <p>The link stops working immediately. People who have already accepted remain members.</p>
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}
