import type { AuditAction, AuditEvent } from "@/lib/schemas/audit";

/** Names of keys and members by their ids, where known. */
export type Names = ReadonlyMap<string, string>;

type Sentence = (event: AuditEvent, name: string) => string;

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const quoted = (value: unknown): string => (text(value) ? `“${text(value)}”` : "");
const tableOf = (details: AuditEvent["details"]): string => quoted(`${text(details.dataset)}/${text(details.table)}`);
const deviceOf = ({ name }: AuditEvent["details"]): string =>
  text(name) ? `the device ${quoted(name)}` : "an unnamed device";
const DECIDED: Readonly<Record<string, string>> = { publish: "the publication of", activate: "the activation of" };
const decidedOf = ({ dataset, kind }: AuditEvent["details"]): string =>
  `${DECIDED[text(kind)] ?? "a run of"} ${quoted(dataset) || "a dataset"}`;
const because = (reason: unknown): string => (text(reason) ? `, because ${REASONS[text(reason)] ?? text(reason)}` : "");
const asRole = (role: unknown): string => (role === "owner" ? "an owner" : "a member");
const KINDS: Readonly<Record<string, string>> = { use: "use key", live: "live key", cli: "device" };
const REASONS: Readonly<Record<string, string>> = {
  "member removed": "its creator is no longer a member",
  "account disabled": "its creator’s account was disabled",
  "account deleted": "its creator’s account was deleted",
  "code replayed": "its code was used twice",
  "refresh token replayed": "an old refresh token was used again",
  "revoked by the agent": "revoked by the agent",
  "signed out there": "signed out on that device",
  "group ended": "their groups there no longer give it",
  "groups claim absent": "the provider named no groups",
  "groups claim elsewhere": "the provider sent too many groups to name them",
};

const byChannel = ({ channel, host }: AuditEvent["details"]): string =>
  channel === "webhook" ? `webhook at ${text(host)}` : "email";

/** Which groups of an identity provider made a change of members. */
function byGroups({ details: { provider, group } }: AuditEvent): string {
  if (!text(provider)) return "";
  return text(group) ? ` by the group ${quoted(group)} of ${text(provider)}` : ` by the groups of ${text(provider)}`;
}

/** The action as a verb phrase, to follow the name of the person. */
const SENTENCES: Readonly<Record<AuditAction, Sentence>> = {
  "account.created": () => "created the account",
  "account.email_verified": () => "confirmed the email address",
  "account.password_set": () => "set a password",
  "account.renamed": () => "changed the name",
  "account.address_changed": () => "changed the email address",
  "account.link_made": () => "created a link that confirms the email address",
  "account.disabled": () => "disabled the account",
  "account.enabled": () => "re-enabled the account",
  "account.deleted": () => "deleted the account",
  "account.identity_linked": ({ details }) =>
    `added ${text(details.provider) || "another service"} as a sign-in method`,
  "account.passkey_added": ({ details }) => `added the passkey ${quoted(details.name)}`,
  "account.passkey_removed": ({ details }) =>
    text(details.name) ? `removed the passkey ${quoted(details.name)}` : "removed all passkeys",
  "account.recovery_codes_made": () => "received new recovery codes",
  "account.recovery_code_used": ({ details }) =>
    `confirmed a sign-in with a recovery code (${text(details.left)} left)`,
  "session.confirmed": ({ details }) => `confirmed a sign-in with the passkey ${quoted(details.passkey)}`,
  "session.started": ({ details }) =>
    `signed in with ${text(details.browser).replace(/^Unknown/, "an unknown") || "a browser"}`,
  "session.revoked": () => "signed a browser out",
  "session.all_revoked": ({ details }) =>
    `signed out everywhere (${text(details.sessions)} browsers)`.replace("(1 browsers)", "(1 browser)"),
  "workspace.created": ({ details }) =>
    details.personal ? "created the personal workspace" : `created the workspace ${quoted(details.name)}`,
  "workspace.renamed": ({ details }) => `renamed the workspace from ${quoted(details.from)} to ${quoted(details.to)}`,
  "workspace.deleted": ({ details }) => `deleted the workspace ${quoted(details.name)}`,
  "member.invited": ({ details }) =>
    text(details.email)
      ? `invited ${text(details.email)} as ${asRole(details.role)}`
      : `created a link that invites ${asRole(details.role)}`,
  "member.invitation_revoked": ({ details }) => `revoked an invitation${because(details.reason)}`,
  "member.joined": (event, name) =>
    isOwnAct(event)
      ? `joined as ${asRole(event.details.role)}`
      : `added ${name} as ${asRole(event.details.role)}${byGroups(event)}`,
  "member.role_changed": (event, name) => `made ${name} ${asRole(event.details.to)}${byGroups(event)}`,
  "member.removed": (event, name) =>
    isOwnAct(event) ? "left the workspace" : `removed ${name}${byGroups(event)}${because(event.details.reason)}`,
  "member.kept": (event, name) =>
    `kept ${name} as the last owner${byGroups(event)}${because(event.details.reason)}: a workspace must have an owner`,
  "key.created": ({ details }) => `created the ${KINDS[text(details.kind)] ?? "key"} ${quoted(details.name)}`,
  "key.renamed": ({ details }) => `renamed the key ${quoted(details.from)} to ${quoted(details.to)}`,
  "key.replaced": ({ details }) =>
    `replaced the key ${quoted(details.name)}, which expires ${text(details.expires_at)}`,
  "key.revoked": ({ details, subject_email: person }, name) =>
    `revoked ${person ? "every key of the account" : `the key ${name}`}${because(details.reason)}`,
  "agent.connected": ({ details }) => `connected the agent ${quoted(details.client_name) || quoted(details.client)}`,
  "agent.revoked": ({ details }) =>
    "disconnected " +
    `${text(details.client_name) ? `the agent ${quoted(details.client_name)}` : "an agent"}${because(details.reason)}`,
  "device.allowed": ({ details }) => `approved ${deviceOf(details)}`,
  "device.refused": ({ details }) => `denied ${deviceOf(details)}`,
  "device.revoked": ({ details }) => `signed out ${deviceOf(details)}${because(details.reason)}`,
  "plan.changed": ({ details }) => `changed the plan from ${planText(details.from)} to ${planText(details.to)}`,
  "secret.created": ({ subject }) => `stored the secret ${quoted(subject)}`,
  "secret.replaced": ({ subject }) => `replaced the secret ${quoted(subject)}`,
  "secret.deleted": ({ subject }) => `deleted the secret ${quoted(subject)}`,
  "secret.used": ({ subject, details }) =>
    `used the secret ${quoted(subject)}${text(details.by) ? ` for ${quoted(details.by)}` : ""}`,
  "secret.rotated": () => "re-encrypted all secrets with a new key",
  "dataset.created": ({ subject, details }) =>
    details.draft
      ? `created the dataset ${quoted(subject)}`
      : `published the dataset ${quoted(subject)} for the first time`,
  "dataset.changed": ({ subject, details }) =>
    `changed the dataset ${quoted(subject)}` +
    (Array.isArray(details.changed) ? `: ${details.changed.map(text).join(", ")}` : ""),
  "dataset.deleted": ({ subject }) => `deleted the dataset ${quoted(subject)}`,
  "dataset.withdrawn": ({ subject }) => `withdrew the dataset ${quoted(subject)}`,
  "recipe.registered": ({ subject, details }) =>
    `registered revision ${text(details.revision)} of the recipe of ${quoted(subject)}`,
  "run.started": ({ details }) => `started a run of ${quoted(details.dataset)}`,
  "run.approval_asked": ({ details }) => `asked for approval of ${decidedOf(details)}`,
  "run.approved": ({ details }) => `approved ${decidedOf(details)}`,
  "run.declined": ({ details }) => `declined ${decidedOf(details)}${because(details.reason)}`,
  "run.cancelled": ({ details }) => `cancelled a run of ${quoted(details.dataset)}${because(details.reason)}`,
  "table.promoted": ({ details }) => `made a version of ${tableOf(details)} current`,
  "table.rolled_back": ({ details }) => `rolled ${tableOf(details)} back to an older version`,
  "table.activated": ({ details }) => `activated ${tableOf(details)} on the hosted API`,
  "table.deactivated": ({ details }) => `deactivated ${tableOf(details)} on the hosted API`,
  "upload.stored": ({ subject }) => `uploaded the file ${quoted(subject)}`,
  "upload.deleted": ({ subject }) => `deleted the upload ${quoted(subject)}`,
  "secret.hosts_changed": ({ subject }) => `changed the hosts of the secret ${quoted(subject)}`,
  "build.policy_changed": ({ subject }) => `changed who approves runs of ${quoted(subject)}`,
  "schedule.paused": ({ subject }) => `paused the refreshes of ${quoted(subject)}`,
  "schedule.resumed": ({ subject }) => `resumed the refreshes of ${quoted(subject)}`,
  "dataset.edited": ({ subject, details }) =>
    `edited the dataset ${quoted(subject)}` +
    (Array.isArray(details.changed) ? `: ${details.changed.map(text).join(", ")}` : ""),
  "watch.created": ({ details }) => `set up notifications by ${byChannel(details)}`,
  "watch.changed": ({ details }) =>
    details.enabled === undefined
      ? `changed the notifications by ${byChannel(details)}`
      : `${details.enabled ? "enabled" : "disabled"} notifications by ${byChannel(details)}`,
  "watch.secret_replaced": ({ details }) => `replaced the signing secret of the ${byChannel(details)}`,
  "watch.deleted": ({ details }) => `removed notifications by ${byChannel(details)}`,
  "view.saved": ({ subject }) => `saved a view to the short link ${quoted(subject)}`,
  "view.changed": ({ subject }) => `renamed the view with the short link ${quoted(subject)}`,
  "view.deleted": ({ subject }) => `deleted the short link ${quoted(subject)}`,
  "dataset.connected": ({ subject }) => `connected the dataset ${quoted(subject)}`,
  "version.published": ({ details }) =>
    `published a version of ${quoted(`${text(details.dataset)}/${text(details.table)}`)}`,
  "version.edited": ({ details }) =>
    `edited a version of ${quoted(`${text(details.dataset)}/${text(details.table)}`)}` +
    (Array.isArray(details.changed) ? `: ${details.changed.map(text).join(", ")}` : ""),
  "version.withdrawn": ({ details }) =>
    `withdrew a version of ${quoted(`${text(details.dataset)}/${text(details.table)}`)}${because(details.reason)}`,
  "dataset.visibility_changed": ({ subject, details }) =>
    `changed the visibility of ${quoted(subject)}${text(details.to) ? `: ${text(details.to)}` : ""}`,
  "sources.swept": ({ subject }) => `read the source list of ${text(subject) || "a provider"}`,
  "service.maintenance": () => "switched maintenance mode on or off",
  "service.restored": () => "restored the service from a backup",
  "service.secret_accepted": () => "accepted another secret of the server",
};

/** Who did it, and what: `You revoked the key “notebook”`. */
export function auditSentence(event: AuditEvent, viewer: string, names: Names): { who: string; what: string } {
  const { subject, subject_email: email } = event;
  const person = email === viewer ? "you" : email;
  const name = names.get(subject ?? "") ?? person ?? "a former member";
  return { who: whoOf(event, viewer), what: SENTENCES[event.action](event, name) };
}

const ACTORS = {
  operator: "The administrator",
  billing: "Billing",
  service: "The service",
  person: "A deleted account",
  agent: "An agent",
} as const;

function whoOf({ actor, actor_email: email }: AuditEvent, viewer: string): string {
  if (actor === "agent" && email !== null) return email === viewer ? "Your agent" : `The agent of ${email}`;
  if (email === viewer) return "You";
  return actor === "person" ? (email ?? ACTORS.person) : ACTORS[actor];
}

const isOwnAct = ({ actor_email: actor, subject_email: subject }: AuditEvent): boolean =>
  actor !== null && actor === subject;

function planText(state: unknown): string {
  const { plan, subscription } = (state ?? {}) as { plan?: string; subscription?: string | null };
  return `${plan ?? "unknown"}${subscription ? ` (subscription ${subscription.replace("_", " ")})` : ""}`;
}
