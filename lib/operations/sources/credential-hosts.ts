import { failWith } from "@/lib/kernel/errors";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { hostListed } from "@/lib/sources/credential";
import { listSecrets, type StoredSecret } from "@/lib/store/sources/secrets";

/** `stored`: credentials must exist and be usable; `named`: they may be stored and allowed hosts later. */
type Strictness = "stored" | "named";

/**
 * Fails with conflict if a credential may not be sent to its source's host, listing all such sources. Each redirect is
 * checked again when it is followed.
 */
export async function checkCredentialHosts(
  sources: readonly RecipeSource[],
  workspaceId: string,
  strictness: Strictness,
): Promise<void> {
  if (!sources.some((source) => "credential" in source && source.credential !== undefined)) return;
  const stored = new Map((await listSecrets(workspaceId)).map((secret) => [secret.name, secret]));
  const faults = sources.flatMap((source, at) => {
    const name = "credential" in source ? source.credential : undefined;
    const message = name === undefined ? undefined : faultOf(source, name, stored.get(name), strictness);
    return message === undefined ? [] : [{ pointer: `/sources/${at}/credential`, code: "conflict" as const, message }];
  });
  if (faults.length > 0) throw failWith(faults);
}

function faultOf(
  source: RecipeSource,
  name: string,
  secret: StoredSecret | undefined,
  strictness: Strictness,
): string | undefined {
  if (strictness === "named" && (!secret || secret.hosts.length === 0)) return undefined;
  if (!secret) return `Unknown credential: ${name}. A person stores it at /settings/secrets.`;
  const refused = addressesOf(source).filter((url) => !hostListed(secret.hosts, url));
  const hosts = [...new Set(refused.map((url) => url.hostname))].join(", ");
  return hosts === ""
    ? undefined
    : `The credential ${name} may not be sent to ${hosts}. A person lists its hosts at /settings/secrets.`;
}

/** A template's placeholders may make a URL unparsable here; the request itself is checked in that case. */
function addressesOf(source: RecipeSource): URL[] {
  if (source.kind !== "http") return [];
  const texts = [source.url, ...(source.urls ?? []), source.template?.url];
  return texts.flatMap((text) => (text !== undefined && URL.canParse(text) ? [new URL(text)] : []));
}
