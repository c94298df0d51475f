export interface RecordsFound {
  /** JSON Pointer. */
  pointer: string;
  shape: "array" | "map";
  items: number;
  score: number;
}

const DEPTH_MAX = 4;
const MAP_MIN = 10;
const LOOKED_AT = 100;
const MEMBERS_LOOKED_AT = 200;
const NAMES = new Set(["data", "items", "results", "records", "features", "value"]);

/** Where the records of a document may be, the likeliest first. */
export function findRecords(document: unknown): RecordsFound[] {
  return candidates(document, "", 0).sort((a, b) => b.score - a.score);
}

function candidates(value: unknown, pointer: string, depth: number): RecordsFound[] {
  if (depth > DEPTH_MAX || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const objects = value.slice(0, LOOKED_AT).filter(isObject);
    return objects.length === 0 ? [] : [candidate(pointer, "array", value.length, objects)];
  }
  const members = Object.entries(value);
  const below = members
    .slice(0, MEMBERS_LOOKED_AT)
    .flatMap(([name, member]) => candidates(member, `${pointer}/${escaped(name)}`, depth + 1));
  const objects = members.slice(0, LOOKED_AT).flatMap(([, member]) => (isObject(member) ? [member] : []));
  const isMap = members.length >= MAP_MIN && objects.length === Math.min(members.length, LOOKED_AT);
  const map = isMap ? candidate(pointer, "map", members.length, objects) : undefined;
  return map && map.score > 0 ? [map, ...below] : below;
}

function candidate(pointer: string, shape: "array" | "map", items: number, objects: readonly object[]): RecordsFound {
  const score = items * commonShare(objects) * (NAMES.has(pointer.split("/").at(-1) ?? "") ? 2 : 1);
  return { pointer, shape, items, score };
}

/** The share of all members that most of the objects have. */
function commonShare(objects: readonly object[]): number {
  const counts = new Map<string, number>();
  for (const object of objects) for (const name of Object.keys(object)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count > objects.length / 2).length;
  return counts.size === 0 ? 0 : common / counts.size;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
