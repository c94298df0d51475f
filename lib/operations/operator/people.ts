import { type LinkPurpose, newLink } from "@/lib/auth/links";
import { audited, OPERATOR } from "@/lib/store/audit";
import { listIdentities } from "@/lib/store/identities";
import { listMembers } from "@/lib/store/members";
import { deletePerson, findPassword, findPerson, listPeople, type Person, setDisabled } from "@/lib/store/people";
import { listSessions } from "@/lib/store/sessions";
import { listWorkspaces } from "@/lib/store/workspaces";

/** Everybody with an account. */
export async function listUsers() {
  const people = await listPeople();
  return people.map(({ keys, workspaces, ...person }) => ({ ...present(person), keys, workspaces }));
}

const present = ({ id, email, name, emailVerified, disabledAt, createdAt }: Person) => ({
  id,
  email,
  name,
  email_verified_at: emailVerified?.toISOString() ?? null,
  disabled_at: disabledAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
});

/** The person with this address; throws in words that say what to do. */
export async function personAt(email: string): Promise<Person> {
  const person = await findPerson(email.trim().toLowerCase());
  if (!person) throw new Error(`Unknown email address: ${email}. List people with: parquetry user list`);
  return person;
}

/** What the operator may know of a person: how they sign in, where they are signed in, what they belong to. */
export async function showUser(email: string, now: Date) {
  const person = await personAt(email);
  const [credentials, identities, sessions, workspaces] = [
    await findPassword(person.email),
    await listIdentities(person.id),
    await listSessions(person.id, now),
    await listWorkspaces(person.id),
  ];
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
      id,
      name,
      role,
      personal,
      plan,
      subscription,
    })),
  };
}

/**
 * A link that lets whoever holds it set the person's password, or prove their address, once. The log tells that it was
 * made, never what it is.
 */
export async function linkFor(
  email: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<{ email: string; purpose: LinkPurpose; link: string }> {
  const person = await personAt(email);
  if (person.disabledAt)
    throw new Error(
      `${person.email} is disabled, so links do not work. First run: parquetry user enable ${person.email}`,
    );
  const link = await newLink(purpose, person, now);
  await audited(OPERATOR, async (_transaction, note) =>
    note({ action: "account.link_made", subject: person.id, details: { purpose } }),
  );
  return { email: person.email, purpose, link };
}

/** Shuts a person out from their next request on, or lets them in again. */
export async function setUserDisabled(email: string, disabled: boolean): Promise<{ email: string; status: string }> {
  const person = await personAt(email);
  const changed = await setDisabled(person.id, disabled, OPERATOR);
  const status = disabled ? "disabled" : "enabled";
  return { email: person.email, status: changed ? status : `already ${status}` };
}

export interface Deletion {
  email: string;
  /** Workspaces that go with them. */
  workspaces: string[];
  status: "deleted" | "kept";
}

/**
 * Deletes a person for good, or only says what would be lost. Throws where workspaces of several people would be left
 * without an owner.
 */
export async function deleteUser(email: string, confirmed: boolean): Promise<Deletion> {
  const person = await personAt(email);
  const orphaned: string[] = [];
  const lost: string[] = [];
  for (const { id, name } of await listWorkspaces(person.id)) {
    const others = (await listMembers(id)).filter(({ userId }) => userId !== person.id);
    if (others.length === 0) lost.push(`${name} (${id})`);
    else if (!others.some(({ role }) => role === "owner")) orphaned.push(id);
  }
  if (orphaned.length > 0)
    throw new Error(
      `${person.email} is the only owner of ${orphaned.join(", ")}, which has other members. First run: parquetry ` +
        `member role <workspace> <email> owner`,
    );
  if (confirmed) await deletePerson(person.id, OPERATOR);
  return { email: person.email, workspaces: lost, status: confirmed ? "deleted" : "kept" };
}
