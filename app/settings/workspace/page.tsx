import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { auditPage } from "@/app/settings/audit-page";
import { type SettingsContext, settingsContext } from "@/app/settings/settings-context";
import { ActionButton } from "@/components/form/action-button";
import { DeleteForm, NameForm } from "@/components/settings/account-forms";
import { AuditList, PLACES_EXPLAINED } from "@/components/settings/audit-list";
import { InviteForm } from "@/components/settings/invite-form";
import { InvitationList, MemberList } from "@/components/settings/member-list";
import { PlanCard } from "@/components/settings/plan-card";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { workspaceAddress } from "@/components/settings/workspace-address";
import { identityProviders } from "@/lib/auth/identity-providers";
import { canMail } from "@/lib/mail/mailer";
import { execute } from "@/lib/operations/execute";
import { listWorkspaceEvents } from "@/lib/operations/workspace/audit-log";
import { listInvitations } from "@/lib/operations/workspace/invitations";
import { listKeys } from "@/lib/operations/workspace/keys";
import { listMembers } from "@/lib/operations/workspace/members";
import type { Members } from "@/lib/schemas/workspace";

export const metadata: Metadata = { title: "Workspace" };

const INTRO = "Members, plan and audit log of this workspace.";

export default async function WorkspacePage({ searchParams }: { searchParams: SearchParams }) {
  const { before } = await singleValues(searchParams);
  const settings = await settingsContext("workspace", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { members } = await execute(listMembers, { path: { workspace_id: workspace.id } }, ctx);
  const api = `/api/account/workspaces/${workspace.id}`;
  const isOwner = workspace.role === "owner";
  return (
    <SettingsShell page="workspace" account={account} workspace={workspace} plain={plain} intro={INTRO}>
      <SettingsSection id="name" title="Name">
        {isOwner ? (
          <NameForm
            key={workspace.id}
            method="PATCH"
            path={api}
            body="name"
            done="Name saved."
            label="Name of the workspace"
            defaultValue={workspace.name}
            required
            submit="Save"
          />
        ) : (
          <p className="text-sm">
            {workspace.name} <span className="text-muted">Only owners can change it.</span>
          </p>
        )}
      </SettingsSection>
      <SettingsSection
        id="members"
        title="Members"
        intro={workspace.personal ? PERSONAL : "Members share datasets, plan and usage. Each has their own keys."}
      >
        <MemberList
          members={members}
          api={api}
          viewerId={account.id}
          isOwner={isOwner}
          providers={identityProviders()}
          now={ctx.now()}
        />
        {!workspace.personal && <Leaving settings={settings} members={members} api={api} />}
      </SettingsSection>
      {isOwner && !workspace.personal && <Invitations settings={settings} api={api} />}
      <SettingsSection id="plan" title="Plan">
        <PlanCard workspace={workspace} api={api} />
      </SettingsSection>
      {isOwner && <Log settings={settings} members={members} before={before} />}
      <SettingsSection
        id="new"
        title="New workspace"
        intro={
          "To work with others or keep projects separate. Each workspace has its own members, keys, secrets and " +
          "plan. You become its owner."
        }
      >
        <NameForm
          method="POST"
          path="/api/account/workspaces"
          body="workspace"
          label="Name of the new workspace"
          placeholder="River team"
          required
          submit="Create"
        />
      </SettingsSection>
      {isOwner && !workspace.personal && (
        <SettingsSection
          id="delete"
          title="Delete workspace"
          intro={
            "This permanently deletes the workspace for all members, with its keys, source credentials, uploads, " +
            "watches and connections. Delete its datasets and cancel its subscription first."
          }
        >
          <DeleteForm
            key={workspace.id}
            method="POST"
            path={`${api}/delete`}
            body="name"
            leadsTo="/settings/workspace"
            field={{ name: "name", label: "Name of the workspace" }}
            typed={workspace.name}
            submit="Delete workspace"
          />
        </SettingsSection>
      )}
    </SettingsShell>
  );
}

const PERSONAL = (
  <>
    Your personal workspace is only for you. To work with others,{" "}
    <a href="#new" className="link">
      create a workspace
    </a>{" "}
    and invite them to it.
  </>
);

interface PartProps {
  settings: SettingsContext;
  members: Members["members"];
  api: string;
}

function Leaving({ settings: { account, workspace }, members, api }: PartProps) {
  const others = members.filter(({ role, user_id: id }) => role === "owner" && id !== account.id);
  if (workspace.role === "owner" && others.length === 0) {
    return (
      <p className="mt-3 text-muted text-xs">You are the only owner. Make another member an owner before you leave.</p>
    );
  }
  return (
    <div className="mt-4">
      <ActionButton
        method="DELETE"
        path={`${api}/membership`}
        label="Leave workspace"
        title={`Leave ${workspace.name}?`}
        confirm="Leave"
        leadsTo="/settings/workspace"
      >
        <p>
          You lose access to this workspace, and{" "}
          <strong className="font-medium text-ink">the keys you created in it stop working permanently</strong>. An
          owner can invite you again.
        </p>
      </ActionButton>
    </div>
  );
}

async function Invitations({ settings: { ctx, workspace }, api }: Omit<PartProps, "members">) {
  const { invitations } = await execute(listInvitations, { path: { workspace_id: workspace.id } }, ctx);
  return (
    <SettingsSection
      id="invitations"
      title="Invitations"
      intro="Each link adds one person, who signs in or signs up first."
    >
      <InviteForm key={workspace.id} path={`${api}/invitations`} canMail={canMail()} />
      <div className="mt-5">
        <InvitationList invitations={invitations} api={api} now={ctx.now()} />
      </div>
    </SettingsSection>
  );
}

async function Log({
  settings: { ctx, account, workspace },
  members,
  before,
}: Omit<PartProps, "api"> & { before: string | undefined }) {
  const page = workspaceAddress("/settings/workspace", workspace, account.workspaces);
  const path = { workspace_id: workspace.id };
  const [log, { keys }] = await Promise.all([
    auditPage(before, page, (query) => execute(listWorkspaceEvents, { path, query }, ctx)),
    execute(listKeys, { path, query: {} }, ctx),
  ]);
  const people = members
    .filter(({ user_id: id, name }) => name && id !== account.id)
    .map(({ user_id: id, name }) => [id, name ?? ""] as const);
  const names = new Map([...keys.map(({ id, name }) => [id, `“${name}”`] as const), ...people]);
  return (
    <SettingsSection
      id="log"
      title="Workspace log"
      intro={`Changes to members, keys, secrets and plan. Visible to owners only. ${PLACES_EXPLAINED}`}
    >
      <AuditList
        log={log}
        viewer={account.email}
        names={names}
        now={ctx.now()}
        page={page}
        paged={before !== undefined}
      />
    </SettingsSection>
  );
}
