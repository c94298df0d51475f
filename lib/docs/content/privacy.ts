import { SESSION_DAYS } from "@/lib/auth/session";
import { type Block, type DocContent, h2, list, table, text } from "@/lib/docs/doc";

const kept = (uploadDays: number) => [
  ["Email address, name, password (as an argon2id hash), sign-in providers", "until you delete the account"],
  [
    "Sessions of the website, each with a cookie that is set only when you sign in",
    `${SESSION_DAYS + 1} days; signing out ends a session at once`,
  ],
  ["A cookie with the ID of the last opened workspace, in browsers that signed in", "a year"],
  [
    "Use keys, connected agents and devices: their names, and when they were last used",
    "until you delete the account; your revoked keys remain listed, with their names, in workspaces of other members",
  ],
  ["Saved views with their titles", "until you delete them"],
  ["Email addresses that invitations were sent to", "until a day after the invitation expires"],
  ["Webhooks and email subscriptions", "until you delete them"],
  ["Deliveries of webhooks and emails, with the status of each response", "30 days; the events themselves 400 days"],
  ["Secrets for sources, encrypted", "until you delete them"],
  ["Uploaded files", `until you delete them; ${uploadDays} days if no run reads them`],
  [
    "Recipes, and runs with their events, approvals and notes, with the IDs of people and the names of agents",
    "as long as their dataset",
  ],
  ["Queries, downloads, rows and bytes of each key, agent and person, by day and table", "not limited"],
  ["A receipt of each complete download, under a keyed hash of its credential", "not limited"],
  [
    "The audit log: who changed an account, key, member, secret or dataset, and when. It holds IDs, the email " +
      "address that an account was created with, and keyed hashes of IP addresses",
    "not limited: entries cannot be changed or removed",
  ],
  ["IDs of events that the payment provider sent", "not limited"],
  ["IP addresses, as keyed hashes, to count requests against limits", "at most 2 days"],
];

export const privacy: DocContent = ({ settings }) => [
  text(
    "This page says what the software behind this service keeps. Reading public datasets requires no account, and " +
      "the pages load nothing from other sites: no analytics, no advertising, no tracking cookies.",
  ),
  h2("kept", "What is kept"),
  table("What is kept, and for how long", ["What", "For how long"], kept(settings.UPLOAD_DAYS)),
  text(
    "The log of the service has one line per request with its path, status and duration: no IP address, no query " +
      "string, no headers except the trace ID that a client sends. Searches and queries are not stored.",
  ),
  h2("agents", "What an agent’s client sees"),
  text(
    "An agent that you connect gets what its tools return: rows of the datasets that it may read, and its " +
      "workspace’s name. The service never sees your conversation, only the arguments of the calls. What " +
      "the client’s provider keeps is up to that provider.",
  ),
  h2("seen", "Who sees it"),
  list(
    "Members of a workspace see its keys’ usage; owners also see its members, its audit log and all keys.",
    "The administrator of this service can read the database. Passwords, keys and tokens are stored as hashes only.",
    "If payment is set up, Stripe gets the payment details, and the email address from this service.",
  ),
  h2("rights", "See, correct, delete"),
  list(
    "[Settings, Account](/settings/account) shows and changes your name and email address, and permanently deletes " +
      "the account.",
    "[Settings, Access](/settings/access) lists keys, agents and devices, shows what each read, and revokes them.",
  ),
  h2("contact", "Contact"),
  ...contactBlocks(settings),
];

function contactBlocks({
  PARQUETRY_SUPPORT: support,
  PARQUETRY_PRIVACY_URL: policy,
}: Parameters<DocContent>[0]["settings"]): Block[] {
  const whom = support
    ? `For questions about your data, write to [${support.replace(/^mailto:/, "")}](${support}).`
    : "The administrator has not published a contact address.";
  return policy ? [text(whom), text(`The administrator’s own privacy policy: [${policy}](${policy}).`)] : [text(whom)];
}
