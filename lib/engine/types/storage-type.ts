/** A DuckDB type as a tree. `name` of a scalar is upper case, with its arguments: `DECIMAL(12,2)`. */
export type StorageType =
  | { kind: "scalar"; name: string }
  | { kind: "list"; item: StorageType }
  | { kind: "struct"; fields: readonly { name: string; type: StorageType }[] }
  /** Only in files of others: publishing makes it a list of structs. */
  | { kind: "map"; key: StorageType; value: StorageType };

const ALIASES: Readonly<Record<string, string>> = {
  TIMESTAMPTZ: "TIMESTAMP WITH TIME ZONE",
  "TIMESTAMP WITHOUT TIME ZONE": "TIMESTAMP",
  TEXT: "VARCHAR",
  BYTEA: "BLOB",
};

/**
 * Parses a type as DuckDB prints it, such as `STRUCT("a b" INTEGER, c VARCHAR[])[]`. Undefined if it cannot be parsed.
 */
export function parseStorageType(text: string): StorageType | undefined {
  const source = text.trim();
  const list = /^(.*)\[\d*\]$/s.exec(source);
  if (list) {
    const item = parseStorageType(list[1] ?? "");
    return item && { kind: "list", item };
  }
  const struct = /^STRUCT\((.*)\)$/is.exec(source);
  if (struct) return parseStruct(struct[1] ?? "");
  const map = /^MAP\((.*)\)$/is.exec(source);
  if (map) return parseMap(map[1] ?? "");
  const name = source.toUpperCase().replace(/\s+/g, " ");
  return /^[A-Z][A-Z0-9_ ]*(\(\d+ ?, ?\d+\))?$/.test(name)
    ? { kind: "scalar", name: (ALIASES[name] ?? name).replaceAll(", ", ",") }
    : undefined;
}

/** How many Parquet leaf columns a value of this type takes. */
export function leafCount(type: StorageType): number {
  if (type.kind === "list") return leafCount(type.item);
  if (type.kind === "map") return leafCount(type.key) + leafCount(type.value);
  return type.kind === "struct" ? type.fields.reduce((sum, field) => sum + leafCount(field.type), 0) : 1;
}

function parseStruct(body: string): StorageType | undefined {
  const fields = splitFields(body).map(parseField);
  return fields.every((field) => field !== undefined) ? { kind: "struct", fields } : undefined;
}

function parseMap(body: string): StorageType | undefined {
  const [key, value] = splitFields(body).map(parseStorageType);
  return key && value && { kind: "map", key, value };
}

function parseField(text: string): { name: string; type: StorageType } | undefined {
  const match = /^(?:"((?:[^"]|"")*)"|(\S+))\s+(.*)$/s.exec(text.trim());
  const type = match && parseStorageType(match[3] ?? "");
  return type ? { name: match[1]?.replaceAll('""', '"') ?? match[2] ?? "", type } : undefined;
}

/** Splits at commas outside quotes and parentheses. */
function splitFields(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const token of body.matchAll(/"(?:[^"]|"")*"|[(),]/g)) {
    if (token[0] === "(") depth += 1;
    else if (token[0] === ")") depth -= 1;
    else if (token[0] === "," && depth === 0) {
      parts.push(body.slice(start, token.index));
      start = token.index + 1;
    }
  }
  return [...parts, body.slice(start)];
}
