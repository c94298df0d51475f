import { FactTable } from "@/components/fact-table";
import { SecurityPolicy } from "@/components/security-policy";
import { env } from "@/lib/env";
import { Section } from "./section";

const KEPT = [
  ["Use keys", "HMAC-SHA-256 under a secret of the service, and the first and last four characters to know a key by"],
  ["Passwords", "argon2id"],
  ["Sessions", "a sealed cookie that names a row; the row is asked for at each request and can be ended"],
  ["Links that were mailed or shown", "HMAC-SHA-256; each works once and for a while"],
  ["Source credentials", "AES-256-GCM under keys that are not in the database; never shown again"],
  ["Addresses of callers", "nowhere; where it matters who was meant, a keyed hash"],
] as const;

/** How to report a fault, and what the service keeps of secrets. */
export function SecuritySection() {
  const contact = env().PARQUETRY_CONTACT;
  return (
    <Section id="security" title="Security">
      <SecurityPolicy contact={contact} />
      {contact && (
        <p className="mt-3 text-muted text-sm">
          The same for programs:{" "}
          <a className="link" href="/.well-known/security.txt">
            security.txt
          </a>
        </p>
      )}
      <h3 className="mt-8 mb-2 text-lg">What is kept of secrets</h3>
      <FactTable words label="What is kept of secrets" head={["Secret", "Kept as"]} rows={KEPT.map((cells) => ({ key: cells[0], cells }))} />
    </Section>
  );
}
