import { ActionButton } from "@/components/form/action-button";
import { Badge } from "@/components/ui/badge";
import { EmailAddress } from "@/components/ui/email-address";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay, formatUtc } from "@/lib/kernel/format";
import type { Invitations, Members } from "@/lib/schemas/workspace";
import { OwnList } from "./own-list";

type Member = Members["members"][number];

interface Props extends Pick<Members, "members"> {
  /** The workspace's path in the account API. */
  api: string;
  viewerId: string;
  isOwner: boolean;
  /** The identity providers, by id and name. */
  providers: readonly { id: string; label: string }[];
  now: Date;
}

/** Who is in the workspace; owners can change that. */
export function MemberList({ members, api, viewerId, isOwner, providers, now }: Props) {
  const owners = members.filter(({ role }) => role === "owner").length;
  return (
    <OwnList
      rows={members}
      keyOf={({ user_id: id }) => id}
      name={({ name, email, role, user_id: id }) => (
        <>
          {name ?? <EmailAddress text={email} />}
          {id === viewerId && <span className="font-normal text-muted"> (you)</span>}{" "}
          <Badge tone={role === "owner" ? "accent" : "neutral"}>{role}</Badge>
        </>
      )}
      note={({ name, email, provider, joined_at: at }) => (
        <>
          {name && (
            <>
              <EmailAddress text={email} />,{" "}
            </>
          )}
          {name ? "joined" : "Joined"} <RelativeTime at={at} now={now} />
          {provider && `, by groups of ${providers.find(({ id }) => id === provider)?.label ?? provider}`}
        </>
      )}
      aside={(member) =>
        isOwner && (
          <>
            {member.provider === null && (member.role === "member" || owners > 1) && (
              <RoleButton member={member} api={api} isSelf={member.user_id === viewerId} />
            )}
            {member.user_id !== viewerId && <RemoveButton member={member} api={api} />}
          </>
        )
      }
    />
  );
}

const calledBy = ({ name, email }: Member): string => name ?? email;

function RoleButton({ member, api, isSelf }: { member: Member; api: string; isSelf: boolean }) {
  const to = member.role === "owner" ? "member" : "owner";
  const who = isSelf ? "yourself" : calledBy(member);
  const role = to === "owner" ? "an owner" : "a member";
  return (
    <ActionButton
      method="PATCH"
      path={`${api}/members/${member.user_id}`}
      json={{ role: to }}
      label={`Make ${to}`}
      describes={`of ${who}`}
      title={`Make ${who} ${role}?`}
      look={to === "owner" ? "primary" : "danger"}
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
    </ActionButton>
  );
}

const RemoveButton = ({ member, api }: { member: Member; api: string }) => (
  <ActionButton
    method="DELETE"
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
    {member.provider === null ? (
      <p>The workspace’s datasets and secrets remain. They can rejoin with a new invitation and new keys.</p>
    ) : (
      <p>
        The workspace’s datasets and secrets remain. Their groups at the identity provider make them a member again at
        their next sign-in, so change their groups there too.
      </p>
    )}
  </ActionButton>
);

/** Invitation links that have not been used yet. */
export const InvitationList = ({
  invitations,
  api,
  now,
}: Pick<Invitations, "invitations"> & Pick<Props, "api" | "now">) => (
  <OwnList
    label="Open invitations"
    rows={invitations}
    keyOf={({ id }) => id}
    name={({ email, role }) => (
      <>
        {email ? <EmailAddress text={email} /> : "Anyone with the link"} <Badge>{role}</Badge>
      </>
    )}
    note={({ invited_by: by, created_at: made, expires_at: until }) => (
      <>
        Made <RelativeTime at={made} now={now} />
        {by && <> by {by}</>}, valid until{" "}
        <time dateTime={until} title={formatUtc(until)}>
          {formatDay(until)}
        </time>
      </>
    )}
    aside={({ id, email }) => (
      <ActionButton
        method="DELETE"
        path={`${api}/invitations/${id}`}
        label="Revoke"
        describes={`the invitation for ${email ?? "anyone with the link"}`}
        title="Revoke this invitation?"
        confirm="Revoke invitation"
        done="Invitation revoked."
        focusAfter="invitations"
      >
        <p>The link stops working immediately. People who have already accepted remain members.</p>
      </ActionButton>
    )}
    empty="No open invitations."
  />
);
