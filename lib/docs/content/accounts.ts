import { type Block, type DocContent, h2, list, name, samples, table, text } from "@/lib/docs/doc";
import { KEEP_KEY } from "@/lib/docs/samples/quick-start";
import { ERRORS } from "@/lib/errors";

const KEPT = [
  ["Use keys", "HMAC-SHA-256 under a secret of the service, and the first and last four characters to know a key by"],
  ["Passwords", "argon2id"],
  ["Sessions", "a sealed cookie that names a row; the row is asked for at each request and can be ended"],
  [
    "Codes and credentials of agents and devices",
    "HMAC-SHA-256; of a device’s credential also the first and last four characters",
  ],
  ["Links that were mailed or shown", "HMAC-SHA-256; each works once and for a while"],
  ["Source credentials", "AES-256-GCM under keys that are not in the database; never shown again"],
  ["Addresses of callers", "nowhere; where it matters who was meant, a keyed hash"],
] as const;

export const accounts: DocContent = ({ settings }) => [
  h2("keys", "Use keys"),
  text(
    "[Sign up](/sign-up), open [Settings, Access](/settings/access) and create a key: give it the name of " +
      "where it will be used, and a day on which it ends. It is shown once, since the service keeps only a hash " +
      "of it.",
  ),
  samples("Keep the key", KEEP_KEY),
  list(
    "Send it in the header `x-api-key`, never in an address. Give every program a key to itself, so that one " +
      "can be revoked alone.",
    "A key is `svc_use_` and 46 letters and digits, the last six of them a checksum: a typing error is told " +
      "from an unknown key at once, and scanners find leaked keys by their form.",
    "Revoking holds from the key’s next request on and cannot be undone. So does removing a member: their " +
      "keys, agents and devices in the workspace end with it. A key that leaked is best revoked first and looked " +
      "into afterwards.",
    "The page that made a key shows what it has read, by day and table.",
  ),
  h2("refused", "When a key is refused"),
  text("With 401; the field `error` of the reply says why:"),
  table(
    "Refusals of keys",
    ["Code", "What to do"],
    Object.entries(ERRORS).flatMap(([code, { status, fix }]) => (status === 401 ? [[name(code), fix]] : [])),
  ),
  h2("workspaces", "Workspaces"),
  text(
    "Everybody has a personal workspace; more can be made, each with members and owners, keys, secrets and an " +
      "audit log of its own. Members see their own keys, owners everybody’s. Invitations are links that work " +
      "once.",
  ),
  h2("security", "Security"),
  ...securityBlocks(settings.PARQUETRY_CONTACT),
  h2("secrets", "What is kept of secrets"),
  table("What is kept of secrets", ["Secret", "Kept as"], KEPT),
];

function securityBlocks(contact: string | undefined): Block[] {
  const whom = contact
    ? "Found a way to read, change or stop what you should not? Write to " +
      `[${contact.replace(/^mailto:/, "")}](${contact}). Say which address it is about, what you did and what ` +
      "happened. Leave out keys, passwords and other people’s data. The same for programs: " +
      "[security.txt](/.well-known/security.txt)."
    : "Whoever runs this service has named no address for reports of vulnerabilities.";
  return [
    text(whom),
    text(
      "Try things with an account and a workspace of your own, take no more than shows the fault, slow the " +
        "service down for nobody, and leave time to mend it before you publish.",
    ),
  ];
}
