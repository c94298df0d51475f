import type { Adapter, AdapterAccount, AdapterUser } from "next-auth/adapters";
import { emailSchema } from "@/lib/schemas/account";
import { nameSchema } from "@/lib/schemas/name";
import type { Author } from "@/lib/store/audit";
import { findIdentity, linkIdentity } from "@/lib/store/people/identities";
import { insertToken, takeToken } from "@/lib/store/people/one-time-tokens";
import { createPerson, findPerson, findPersonById, type Person, verifyEmail } from "@/lib/store/people/people";
import { oidcProvider } from "./oidc";

const userOf = (person: Person): AdapterUser => ({ ...person });
const orNull = (person: Person | undefined): AdapterUser | null => (person ? userOf(person) : null);
const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(hex, "hex"));

/** next-auth's view of our store. Providers' tokens are not stored: they are not needed after the sign-in. */
export function authAdapter(author: Author): Adapter {
  return {
    // anyone who signs in this way has verified the address, with us by a link or with the provider
    async createUser({ email, name, image }: Omit<AdapterUser, "id">) {
      const { data: ownName = null } = nameSchema.safeParse(name); // another service verified it, by its own rules
      const made = await createPerson(
        { email: emailSchema.parse(email), name: ownName, image: image ?? null, emailVerified: new Date() },
        author,
      );
      if (!made) throw new Error("the email address is already in use");
      return userOf(made);
    },
    getUser: async (id) => orNull(await findPersonById(id)),
    getUserByEmail: async (email) => orNull(await findPerson(email.toLowerCase())),
    getUserByAccount: async ({ provider, providerAccountId }) =>
      orNull(await findIdentity(provider, providerAccountId, oidcProvider(provider)?.issuer)),
    async updateUser({ id, emailVerified }) {
      if (emailVerified) await verifyEmail(id, { ...author, userId: id }, {});
      const person = await findPersonById(id);
      if (!person) throw new Error("the account was deleted");
      return userOf(person);
    },
    async linkAccount({ provider, providerAccountId, userId }: AdapterAccount) {
      const issuer = oidcProvider(provider)?.issuer;
      await linkIdentity({ provider, subject: providerAccountId, issuer, userId }, { ...author, userId });
    },
    async createVerificationToken(token) {
      await insertToken({
        hash: bytesOf(token.token),
        purpose: "sign_in",
        email: token.identifier,
        userId: null,
        expiresAt: token.expires,
      });
      return token;
    },
    async useVerificationToken({ identifier, token }) {
      const found = await takeToken(bytesOf(token), "sign_in", new Date());
      return found && found.email === identifier ? { identifier, token, expires: new Date(Date.now() + 1000) } : null;
    },
  };
}
