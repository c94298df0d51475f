import { withoutEnd, withoutStart } from "@/lib/kernel/trim-signs";

/** Upper case first turns ß into ss. `Bureau of Transportation Statistics` → `bureau-of-transportation-statistics`. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
  const slug = withoutEnd(withoutStart(plain.replace(/[^a-z0-9]+/g, "-"), "-").slice(0, 80), "-");
  return slug || `publisher-${Buffer.from(name).toString("hex").slice(0, 40)}`;
}
