import { type Block, type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { KEEP_KEY } from "@/lib/docs/samples/quick-start";
import { ERRORS } from "@/lib/kernel/errors";

const KEPT = [
  ["Use keys", "HMAC-SHA-256 under a server secret, plus the first and last four characters for display"],
  ["Passwords", "argon2id"],
  ["Sessions", "an encrypted cookie that names a database row; the row is checked on every request and can be deleted"],
  [
    "Agent and device codes and credentials",
    "HMAC-SHA-256; for device credentials also the first and last four characters",
  ],
  ["Emailed or displayed links", "HMAC-SHA-256; single use, with an expiry"],
  ["Source credentials", "AES-256-GCM under keys outside the database; never shown again"],
  ["Callers’ IP addresses", "not stored; a keyed hash where callers must be distinguished"],
] as const;

export const accounts: DocContent = ({ settings }) => [
  h2("keys", "Use keys"),
  text(
    "[Sign up](/sign-up), open [Settings, Access](/settings/access) and create a key. Name it after the " +
      "program that will use it, and set an expiry date if you like. It is shown only once, because the service " +
      "stores only a hash of it.",
  ),
  samples("Keep the key", KEEP_KEY),
  list(
    "Send it in the `x-api-key` header, never in a URL. Give each program its own key, so that you can revoke " +
      "one without affecting the others.",
    "A key is `svc_use_` followed by 46 letters and digits, the last six of which are a checksum. Typos are " +
      "reported as such, and secret scanners can recognise leaked keys.",
    "Revocation takes effect on the key’s next request and cannot be undone. Removing a member also revokes " +
      "their keys, agents and devices in the workspace. Revoke a leaked key first, then investigate.",
    "The same page shows what each key has read, by day and table, and renames keys.",
    "To replace a key before it expires or leaks, use “Rename or replace”: the new one has the same name and " +
      "lifetime, and the old one keeps working for an hour, a day or a week.",
  ),
  h2("rejected", "When a key is rejected"),
  text("The reply has status 401, and its `error` field gives the reason:"),
  table(
    "Reasons for rejected keys",
    ["Code", "What to do"],
    Object.entries(ERRORS).flatMap(([code, { status, fix }]) => (status === 401 ? [[name(code), fix]] : [])),
  ),
  h2("workspaces", "Workspaces"),
  text(
    "Every person has a personal workspace and can create others, each with its own members, owners, keys, " +
      "secrets and audit log. Members see their own keys, owners all keys. Invitation links work once.",
  ),
  h2("address", "Change your email address"),
  text(
    "Change it under [Settings, Account](/settings/account), with your password. Where the service sends email, a " +
      "code goes to the new address to prove that it is yours, and a notice to the old one. Links that were emailed " +
      "to the old address stop working.",
  ),
  h2("delete", "Delete your account"),
  text(
    "[Settings, Account](/settings/account#delete) permanently deletes the account, with its sessions, keys, " +
      "connections and the workspaces that have no other member. First make another member the owner of shared " +
      "workspaces, delete the datasets of your own workspaces, and cancel paid subscriptions. The page lists what " +
      "remains to be done.",
  ),
  h2("security", "Security"),
  ...securityBlocks(settings.PARQUETRY_CONTACT),
  h2("secrets", "How secrets are stored"),
  table("How secrets are stored", ["Secret", "Stored as"], KEPT),
];

function securityBlocks(contact: string | undefined): Block[] {
  const whom = contact
    ? "If you find a way to read, change or disrupt what you should not be able to, write to " +
      `[${contact.replace(/^mailto:/, "")}](${contact}). Include the URL, what you did and what happened; leave ` +
      "out keys, passwords and other people’s data. In machine-readable form: " +
      "[security.txt](/.well-known/security.txt)."
    : "The administrator has not published a contact for vulnerability reports.";
  return [
    text(whom),
    text(
      "Test with your own account and workspace, access no more data than needed to show the problem, do not " +
        "degrade the service for others, and allow time for a fix before you publish.",
    ),
  ];
}
