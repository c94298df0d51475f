import { ConfirmButton } from "@/components/form/confirm-button";
import { Badge } from "@/components/ui/badge";
import { EmailAddress } from "@/components/ui/email-address";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Members } from "@/lib/schemas/workspace";

type Member = Members["members"][number];

interface Props {
  members: readonly Member[];
  /** The workspace's path in the account API. */
  api: string;
  viewerId: string;
  isOwner: boolean;
  now: Date;
}

/** Who is in the workspace; owners can change that. */
export function MemberList({ members, api, viewerId, isOwner, now }: Props) {
  const owners = members.filter(({ role }) => role === "owner").length;
  return (
    <ul className="rows">
      {members.map((member) => (
        <li key={member.user_id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="min-w-0">
            <p className="break-words font-medium">
              {member.name ?? <EmailAddress text={member.email} />}
              {member.user_id === viewerId && <span className="font-normal text-muted"> (you)</span>}{" "}
              <Badge tone={member.role === "owner" ? "accent" : "neutral"}>{member.role}</Badge>
            </p>
            <p className="mt-0.5 break-words text-muted text-xs">
              {member.name && (
                <>
                  <EmailAddress text={member.email} />,{" "}
                </>
              )}
              {member.name ? "joined" : "Joined"} <RelativeTime at={member.joined_at} now={now} />
            </p>
          </div>
          {isOwner && (
            <div className="flex flex-wrap gap-2">
              {(member.role === "member" || owners > 1) && (
                <RoleButton member={member} api={api} isSelf={member.user_id === viewerId} />
              )}
              {member.user_id !== viewerId && <RemoveButton member={member} api={api} />}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

const calledBy = ({ name, email }: Member): string => name ?? email;

function RoleButton({ member, api, isSelf }: { member: Member; api: string; isSelf: boolean }) {
  const to = member.role === "owner" ? "member" : "owner";
  const who = isSelf ? "yourself" : calledBy(member);
  const role = to === "owner" ? "an owner" : "a member";
  return (
    <ConfirmButton
      method="PATCH"
      path={`${api}/members/${member.user_id}`}
      body={{ role: to }}
      label={to === "owner" ? "Make owner" : "Make member"}
      describes={`of ${who}`}
      title={`Make ${who} ${role}?`}
      confirm={`Make ${to}`}
      confirmLook={to === "owner" ? "primary" : "danger"}
      done={`${isSelf ? "You are" : `${calledBy(member)} is`} now ${role}.`}
      focusAfter="members"
    >
      {to === "owner" ? (
        <p>
          Owners can invite and remove members (including you), view and revoke all keys, delete secrets, change the
          plan and read the log.
        </p>
      ) : (
        <p>
          Members use the workspace with their own keys. They can no longer change its members, name or plan, or read
          the log.
        </p>
      )}
    </ConfirmButton>
  );
}

function RemoveButton({ member, api }: { member: Member; api: string }) {
  return (
    <ConfirmButton
      path={`${api}/members/${member.user_id}`}
      label="Remove"
      describes={calledBy(member)}
      title={`Remove ${calledBy(member)}?`}
      confirm="Remove member"
      done={`${calledBy(member)} was removed.`}
      focusAfter="members"
    >
      <p>
        They lose access to this workspace immediately, and{" "}
        <strong className="font-medium text-ink">the keys they created in it stop working permanently</strong>. Programs
        that use those keys get 401.
      </p>
      <p>The workspace’s datasets and secrets remain. They can rejoin with a new invitation and new keys.</p>
    </ConfirmButton>
  );
}
