import { z } from "zod";
import { newLink } from "@/lib/auth/links";
import { leftBehind } from "@/lib/operations/account/left-behind";
import { operation } from "@/lib/operations/operation";
import { withTheirUploads } from "@/lib/operations/workspace/remove-uploads";
import { planSchema, roleSchema, subscriptionSchema } from "@/lib/schemas/account";
import { ADMINISTRATOR, audited } from "@/lib/store/audit";
import { listIdentities } from "@/lib/store/people/identities";
import { removeAllPasskeys } from "@/lib/store/people/passkeys";
import {
  deletePerson,
  findPassword,
  findPerson,
  listPeople,
  type Person,
  setDisabled,
} from "@/lib/store/people/people";
import { listSessions } from "@/lib/store/people/sessions";
import { listWorkspaces } from "@/lib/store/people/workspaces";

const time = z.iso.datetime();
const personSchema = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  email_verified_at: time.nullable(),
  disabled_at: time.nullable(),
  created_at: time,
});
const emailSchema = z.strictObject({ email: z.string() });
const statusSchema = z.strictObject({ email: z.string(), status: z.string() });

/** Everybody with an account. */
export const listUsers = operation({
  name: "list_users",
  summary: "List people",
  description: "Lists all people by email address.",
  access: "operator",
  quota: "none",
  input: {},
  output: z.array(personSchema.extend({ keys: z.int(), workspaces: z.int() })),
  async run() {
    const people = await listPeople();
    return people.map(({ keys, workspaces, ...person }) => ({ ...present(person), keys, workspaces }));
  },
  cli: { usage: "user list" },
});

const present = ({ id, email, name, emailVerified, disabledAt, createdAt }: Person) => ({
  id,
  email,
  name,
  email_verified_at: emailVerified?.toISOString() ?? null,
  disabled_at: disabledAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
});

/** The person with this email address; throws with what to do. */
export async function personAt(email: string): Promise<Person> {
  const person = await findPerson(email.trim().toLowerCase());
  if (!person) throw new Error(`Unknown email address: ${email}. List people with: parquetry user list`);
  return person;
}

const userSchema = personSchema.extend({
  has_password: z.boolean(),
  identities: z.array(z.string()),
  sessions: z.array(z.strictObject({ browser: z.string(), created_at: time, last_seen_at: time })),
  workspaces: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      role: roleSchema.nullable(),
      personal: z.boolean(),
      plan: planSchema,
      subscription: subscriptionSchema.nullable(),
    }),
  ),
});
type User = z.output<typeof userSchema>;

/** What the administrator may know about a person: sign-in methods, sessions, workspaces. */
export const showUser = operation({
  name: "show_user",
  summary: "Show a person",
  description: "Shows a person: sign-in methods, sessions and workspaces.",
  access: "operator",
  quota: "none",
  input: { body: emailSchema },
  output: userSchema,
  async run({ body }, ctx): Promise<User> {
    const person = await personAt(body.email);
    const [credentials, identities] = [await findPassword(person.email), await listIdentities(person.id)];
    const [sessions, workspaces] = [await listSessions(person.id, ctx.now()), await listWorkspaces(person.id)];
    return {
      ...present(person),
      has_password: (credentials?.passwordHash ?? null) !== null,
      identities,
      sessions: sessions.map(({ browser, createdAt, lastSeenAt }) => ({
        browser,
        created_at: createdAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
      })),
      workspaces: workspaces.map(({ id, name, role, personal, plan, subscription }) => ({
        ...{ id, name, role, personal },
        ...{ plan, subscription },
      })),
    };
  },
  cli: {
    usage: "user show <email>",
    view: ({ workspaces, sessions, identities, ...person }: User) => ({
      record: {
        ...person,
        identities: identities.join(", ") || "none",
        sessions: sessions.length,
        workspaces: workspaces.length,
      },
      tables: [workspaces, sessions],
    }),
  },
});

const LINK_HELP = `
Give the link only to that person. A reset link, valid for an hour, lets anyone who opens it set the password; a
verify link, valid for a day, verifies the email address. Each works once. The audit log records that a link was
created, not the link itself.

  parquetry user link you@example.com
  parquetry user link you@example.com --to verify`;

const PURPOSES = { reset: "reset_password", verify: "verify_email" } as const;

/**
 * A single-use link that lets its holder set the person's password or verify their address. The log records that it was
 * created, never the link.
 */
export const linkUser = operation({
  name: "link_user",
  summary: "Create a link for a person",
  description: "Prints a link to reset a person's password or verify their email address, for services without email.",
  access: "operator",
  quota: "none",
  input: {
    body: emailSchema.extend({
      to: z
        .enum(["reset", "verify"])
        .default("reset")
        .describe("reset (the password, default) or verify (the address)"),
    }),
  },
  output: z.strictObject({ email: z.string(), purpose: z.enum(Object.values(PURPOSES)), link: z.string() }),
  async run({ body }, ctx) {
    const purpose = PURPOSES[body.to];
    const person = await personAt(body.email);
    if (person.disabledAt)
      throw new Error(
        `${person.email} is disabled, so links do not work. First run: parquetry user enable ${person.email}`,
      );
    const link = await newLink(purpose, person, ctx.now());
    await audited(ADMINISTRATOR, async (_transaction, note) =>
      note({ action: "account.link_made", subject: person.id, details: { purpose } }),
    );
    return { email: person.email, purpose, link };
  },
  cli: { usage: "user link <email>", valueNames: { to: "what" }, help: LINK_HELP },
});

/** Removes the passkeys of a person who has lost them and their recovery codes. */
export const removePasskeys = operation({
  name: "remove_passkeys",
  summary: "Remove a person's passkeys",
  description:
    "Removes all passkeys and recovery codes of a person who has lost them, so that signing in has one step again. " +
    "First make sure who asks.",
  access: "operator",
  quota: "none",
  input: { body: emailSchema },
  output: z.strictObject({ email: z.string(), removed: z.int() }),
  async run({ body }) {
    const person = await personAt(body.email);
    return { email: person.email, removed: await removeAllPasskeys(person.id, ADMINISTRATOR) };
  },
  cli: { usage: "user remove-passkeys <email>" },
});

/** Disables a person with effect from their next request. */
export const disableUser = operation({
  name: "disable_user",
  summary: "Disable an account",
  description:
    "Disables a person's account: sessions end and keys are rejected from the next request. Nothing is deleted.",
  access: "operator",
  quota: "none",
  input: { body: emailSchema },
  output: statusSchema,
  run: ({ body }) => setUserDisabled(body.email, true),
  cli: { usage: "user disable <email>" },
});

/** Enables a disabled person again. */
export const enableUser = operation({
  name: "enable_user",
  summary: "Enable an account",
  description: "Enables a disabled account. Keys work again; the person must sign in again.",
  access: "operator",
  quota: "none",
  input: { body: emailSchema },
  output: statusSchema,
  run: ({ body }) => setUserDisabled(body.email, false),
  cli: { usage: "user enable <email>" },
});

async function setUserDisabled(email: string, disabled: boolean): Promise<z.output<typeof statusSchema>> {
  const person = await personAt(email);
  const changed = await setDisabled(person.id, disabled, ADMINISTRATOR);
  const status = disabled ? "disabled" : "enabled";
  return { email: person.email, status: changed ? status : `already ${status}` };
}

const deletionSchema = z.strictObject({
  email: z.string(),
  status: z.enum(["deleted", "kept"]),
  workspaces: z.array(z.string()).describe("Workspaces that are deleted with the person."),
});
type Deletion = z.output<typeof deletionSchema>;

const UNCONFIRMED =
  "Nothing was deleted. This permanently deletes the account, its sessions and keys, and the workspaces below. " +
  "Confirm with --yes.";

/** Deletes a person permanently, or only reports what would be lost. */
export const deleteUser = operation({
  name: "delete_user",
  summary: "Delete a person",
  description:
    "Permanently deletes a person and the workspaces that have no other members. Lists what will be deleted; " +
    "deletes it with --yes.",
  access: "operator",
  quota: "none",
  input: { body: emailSchema.extend({ yes: z.boolean().default(false).describe("delete") }) },
  output: deletionSchema,
  async run({ body }): Promise<Deletion> {
    const person = await personAt(body.email);
    const orphaned = await orphanedBy(person);
    const ids = orphaned.map(({ id }) => id);
    if (body.yes) await withTheirUploads(ids, () => deletePerson(person.id, ADMINISTRATOR));
    const workspaces = orphaned.map(({ id, name }) => `${name} (${id})`);
    return { email: person.email, status: body.yes ? "deleted" : "kept", workspaces };
  },
  cli: {
    usage: "user delete <email>",
    problem: ({ status }: Deletion) => (status === "kept" ? UNCONFIRMED : undefined),
    view: (deletion: Deletion) => ({ record: { ...deletion, workspaces: deletion.workspaces.join(", ") || "none" } }),
  },
});

/** The person's workspaces without other members. Throws if one with other members would lose its only owner. */
async function orphanedBy(person: Person): Promise<{ id: string; name: string }[]> {
  const { ownerless, orphaned } = await leftBehind(person.id);
  if (ownerless.length > 0)
    throw new Error(
      `${person.email} is the only owner of ${ownerless.map(({ id }) => id).join(", ")}, which has other members. ` +
        "First run: parquetry member role <workspace> <email> owner",
    );
  return orphaned;
}
