import { hash, verify } from "@node-rs/argon2";
import { Admission } from "@/lib/kernel/admission";
import { subjectAtWork } from "@/lib/kernel/caller";
import { processWide } from "@/lib/kernel/process-wide";

/** argon2id with the first of OWASP's recommended settings: 19 MiB, 2 passes, 1 lane; about 30 ms. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Maximum concurrent hashes. Further sign-ins wait, in turns by caller, rather than take every core from the queries. */
const AT_ONCE = 2;
const QUEUE_MS = 30_000;
const turns = () => processWide("password-hashing", () => new Admission({ slots: AT_ONCE, queueMs: QUEUE_MS }));

/** The PHC string to store for a password. */
export const hashPassword = (password: string): Promise<string> =>
  turns().run(subjectAtWork(), () => hash(password.normalize("NFC"), OPTIONS));

/** Whether a password matches `stored`. If there is nothing to compare with, returns false after the same time. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const compared = stored ?? (await decoy());
  const same = await turns().run(subjectAtWork(), () => verify(compared, password.normalize("NFC")));
  return same && Boolean(stored);
}

const decoy = (): Promise<string> => processWide("password-decoy", () => hash("nobody has this password", OPTIONS));
