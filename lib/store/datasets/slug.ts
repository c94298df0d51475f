import { normalizeText } from "@/lib/kernel/normalize-text";
import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";

/** Upper case first turns ß into ss. `Bureau of Transportation Statistics` → `bureau-of-transportation-statistics`. */
export function slugOf(name: string): string {
  const plain = normalizeText(name, "NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
  const slug = withoutEnd(withoutStart(plain.replace(/[^a-z0-9]+/g, "-"), "-").slice(0, 80), "-");
  return slug || `publisher-${Buffer.from(name).toString("hex").slice(0, 40)}`;
}
