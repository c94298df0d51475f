import { type OutlineMap, type OutlineNode, type OutlinePlace, type OutlineSlot, outlineOf } from "./recipe-outline";

/** The keywords of the published JSON Schema that are read here. */
export interface RecipeSchema {
  type?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, RecipeSchema>>;
  propertyNames?: RecipeSchema;
  additionalProperties?: RecipeSchema | boolean;
  required?: readonly string[];
  items?: RecipeSchema;
  anyOf?: readonly RecipeSchema[];
  oneOf?: readonly RecipeSchema[];
  allOf?: readonly RecipeSchema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** What may be written at a position of a recipe. */
export interface RecipeChoice {
  label: string;
  /** What is written instead of the word at the position. */
  apply: string;
  kind: "key" | "value" | "name";
  /** In a few words, such as `required`. */
  detail?: string;
  /** What it means, and an example. */
  info?: string;
  isRequired: boolean;
}

export interface RecipeChoices {
  from: number;
  to: number;
  choices: RecipeChoice[];
}

/** Nodes that are searched for names; a recipe of 64 KiB has fewer. */
const NODES_MAX = 20_000;
const COLUMN_WORDS = "A column name, case-sensitive.";
const RELATION_WORDS = /\bearlier tables?\b/;

/**
 * The keys, values and names that the schema allows at a position of a recipe in YAML or JSON. `columns` are known
 * column names; those that the recipe itself mentions are added. Reads the text once, however it is written.
 */
export function recipeChoices(
  text: string,
  position: number,
  schema: RecipeSchema,
  columns: readonly string[] = [],
): RecipeChoices | undefined {
  const { root, place } = outlineOf(text, position);
  if (!place) return undefined;
  const writing: Writing = { text, place, root, schema, columns };
  const choices = "map" in place.at ? keysOf(writing, place.at.map) : valuesOf(writing, place.at.slot);
  return choices.length > 0 ? { from: place.from, to: place.to, choices } : undefined;
}

export interface RecipeMeaning {
  from: number;
  to: number;
  key: string;
  words: string;
}

/** What the key at a position means; undefined if there is none, or nothing is known about it. */
export function recipeMeaning(text: string, position: number, schema: RecipeSchema): RecipeMeaning | undefined {
  const { place } = outlineOf(text, position);
  if (!place || !("map" in place.at) || place.at.entry === undefined) return undefined;
  const { map, entry } = place.at;
  const key = map.entries[entry]?.key ?? "";
  const words = meaningOf(narrowed(schemasOf(map, schema), map).flatMap((each) => below(each, key)));
  return words === "" ? undefined : { from: place.from, to: place.to, key, words };
}

interface Writing {
  text: string;
  place: OutlinePlace;
  root: OutlineNode | undefined;
  schema: RecipeSchema;
  columns: readonly string[];
}

/** The alternatives of a schema, none of which has alternatives itself. */
function alternatives(schema: RecipeSchema): RecipeSchema[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (parts.length === 0) return [schema];
  const { description } = schema;
  return parts
    .flatMap(alternatives)
    .map((each) => (description !== undefined && each.description === undefined ? { ...each, description } : each));
}

/** The schemas of a node, by the path that leads to it. */
function schemasOf(node: Pick<OutlineMap, "parent">, root: RecipeSchema): RecipeSchema[] {
  return schemasAt(node.parent, root);
}

function schemasAt(slot: OutlineSlot | undefined, root: RecipeSchema): RecipeSchema[] {
  const path: OutlineSlot[] = [];
  for (let each = slot; each; each = each.of.parent) path.push(each);
  return path.reduceRight((schemas, { of, at }) => {
    if (of.kind === "list") return schemas.flatMap(itemsOf);
    const key = of.entries[at]?.key;
    return key === undefined ? [] : narrowed(schemas, of, at).flatMap((each) => below(each, key));
  }, alternatives(root));
}

function itemsOf({ items, description }: RecipeSchema): RecipeSchema[] {
  if (!items) return [];
  return alternatives(items.description === undefined && description !== undefined ? { ...items, description } : items);
}

function below({ properties, additionalProperties }: RecipeSchema, key: string): RecipeSchema[] {
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (own) return alternatives(own);
  return typeof additionalProperties === "object" ? alternatives(additionalProperties) : [];
}

/**
 * The schemas that an object can still have: not those whose constants differ from what is written, and if some have
 * all of its keys, only these. The entry at `except` does not count, because it is being written.
 */
function narrowed(schemas: readonly RecipeSchema[], { entries }: OutlineMap, except?: number): RecipeSchema[] {
  const objects = schemas.filter(({ type, properties, additionalProperties }) =>
    type === undefined ? properties !== undefined || typeof additionalProperties === "object" : type === "object",
  );
  if (objects.length < 2) return objects;
  const written = entries.filter((_, at) => at !== except);
  const possible = objects.filter(({ properties }) =>
    written.every(({ key, value }) => {
      const fixed = properties && Object.hasOwn(properties, key) ? properties[key]?.const : undefined;
      return fixed === undefined || value?.kind !== "scalar" || value.text === String(fixed);
    }),
  );
  const kept = possible.length > 0 ? possible : objects;
  const fitting = kept.filter((schema) => written.every(({ key }) => below(schema, key).length > 0));
  return fitting.length > 0 ? fitting : kept;
}

function keysOf(writing: Writing, map: OutlineMap): RecipeChoice[] {
  const { place } = writing;
  const entry = "entry" in place.at ? place.at.entry : undefined;
  const schemas = narrowed(schemasOf(map, writing.schema), map, entry);
  const taken = new Set(map.entries.filter((_, at) => at !== entry).map(({ key }) => key));
  const isQuoted = place.isFlow && map.entries.some((each, at) => at !== entry && each.isQuoted);
  return [...keyChoices(schemas, taken, writing, isQuoted), ...columnKeys(schemas, taken, writing)];
}

/** The constants by which the schemas of an object differ, such as `step: rename`. */
function kindsOf(schemas: readonly RecipeSchema[]): { key: string; value: string; schema: RecipeSchema }[] {
  if (schemas.length < 2) return [];
  const key = Object.keys(schemas[0]?.properties ?? {}).find((name) =>
    schemas.every(({ properties }) => properties?.[name]?.const !== undefined),
  );
  return key === undefined
    ? []
    : schemas.map((schema) => ({ key, value: String(schema.properties?.[key]?.const), schema }));
}

function keyChoices(
  schemas: readonly RecipeSchema[],
  taken: ReadonlySet<string>,
  writing: Writing,
  isQuoted: boolean,
): RecipeChoice[] {
  const isRenamed = "entry" in writing.place.at && hasColon(writing);
  const kinds = kindsOf(schemas);
  if (kinds[0] && !taken.has(kinds[0].key) && !isRenamed)
    return kinds.map((kind) => kindChoice(kind, writing, isQuoted));
  const names = [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  return names
    .filter((name) => !taken.has(name))
    .map((name) => {
      const found = schemas.flatMap((schema) => below(schema, name));
      const isRequired = schemas.every(({ required }) => required?.includes(name) === true);
      const written = isQuoted ? JSON.stringify(name) : name;
      const info = meaningOf(found);
      return {
        ...{ label: name, kind: "key" as const, isRequired, apply: withGap(written, isRenamed ? "" : ": ", writing) },
        ...(isRequired && { detail: "required" }),
        ...(info !== "" && { info }),
      };
    });
}

/** Whether a colon follows the word already, as in flow style, where a new word counts as a key. */
function hasColon({ text, place }: Writing): boolean {
  let at = place.to;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return text[at] === ":";
}

function kindChoice(
  { key, value, schema }: { key: string; value: string; schema: RecipeSchema },
  writing: Writing,
  isQuoted: boolean,
): RecipeChoice {
  const info = kindWords(key, schema);
  const written = isQuoted ? `${JSON.stringify(key)}: ${JSON.stringify(value)}` : `${key}: ${value}`;
  return {
    ...{ label: `${key}: ${value}`, kind: "key", isRequired: true, apply: withGap(written, "", writing) },
    ...(info !== "" && { info }),
  };
}

/** What a kind needs, and an example of it. */
function kindWords(key: string, schema: RecipeSchema): string {
  const [example] = schema.examples ?? [];
  const needed = (schema.required ?? []).filter((name) => name !== key);
  const words = [
    schema.description,
    needed.length > 0 ? `Needs ${needed.join(", ")}.` : undefined,
    example === undefined ? undefined : `Such as ${JSON.stringify(example)}`,
  ].filter((each) => each !== undefined);
  return words.join("\n");
}

/** What is inserted: with the dash or space that must come before it. */
function withGap(word: string, after: string, { text, place }: Writing): string {
  const before = text[place.from - 1];
  const gap = before === ":" || (before === "-" && !place.isFlow) ? " " : "";
  return `${gap}${place.needsDash ? "- " : ""}${word}${after}`;
}

/** Keys that are column names, such as those of rename. */
function columnKeys(schemas: readonly RecipeSchema[], taken: ReadonlySet<string>, writing: Writing): RecipeChoice[] {
  if (!schemas.some(hasColumnKeys)) return [];
  const after = "entry" in writing.place.at && hasColon(writing) ? "" : ": ";
  return columnNames(writing)
    .filter((name) => !taken.has(name))
    .map((name) => nameChoice(name, writing, after));
}

function valuesOf(writing: Writing, slot: OutlineSlot | undefined): RecipeChoice[] {
  const begun = nodeAt(slot);
  if (begun?.kind === "map" && writing.place.takesKeys) return keysOf(writing, begun);
  const schemas = schemasAt(slot, writing.schema);
  const items = writing.place.takesKeys && !writing.place.needsDash ? schemas.flatMap(itemsOf) : [];
  const place = { ...writing.place, needsDash: true };
  const words = wordsOfKinds(writing, slot);
  const values = startsOf(writing, schemas).map((choice) => {
    const info = choice.info ?? words.get(choice.label);
    return info === undefined ? choice : { ...choice, info };
  });
  return [...values, ...(items.length > 0 ? startsOf({ ...writing, place }, items) : [])];
}

/** What is said about each kind where its name is written, such as after `step:`. */
function wordsOfKinds({ schema }: Writing, slot: OutlineSlot | undefined): ReadonlyMap<string, string> {
  if (slot?.of.kind !== "map") return new Map();
  const { of, at } = slot as { of: OutlineMap; at: number };
  const kinds = kindsOf(narrowed(schemasOf(of, schema), of, at));
  return kinds[0]?.key === of.entries[at]?.key
    ? new Map(kinds.map((kind) => [kind.value, kindWords(kind.key, kind.schema)]))
    : new Map();
}

const nodeAt = (slot: OutlineSlot | undefined): OutlineNode | undefined =>
  slot?.of.kind === "list" ? slot.of.items[slot.at] : slot?.of.entries[slot.at]?.value;

/** What a value of one of these schemas may begin with. */
function startsOf(writing: Writing, schemas: readonly RecipeSchema[]): RecipeChoice[] {
  const values = schemas.flatMap((schema) => fixedValues(schema).map((value) => valueChoice(value, schema, writing)));
  const names = [
    ...(schemas.some(isColumn) ? columnNames(writing) : []),
    ...(schemas.some(({ description = "" }) => RELATION_WORDS.test(description)) ? relationNames(writing.root) : []),
  ].map((name) => nameChoice(name, writing, ""));
  const objects = schemas.filter(({ properties }) => properties !== undefined);
  const keys = writing.place.takesKeys ? keyChoices(objects, new Set(), writing, false) : [];
  const columns = writing.place.takesKeys ? columnKeys(schemas, new Set(), writing) : [];
  const all = [...values, ...names, ...keys, ...columns];
  const seen = new Set<string>();
  return all.filter(({ label }) => !seen.has(label) && seen.add(label));
}

const fixedValues = (schema: RecipeSchema): unknown[] => [
  ...(schema.const === undefined ? [] : [schema.const]),
  ...(schema.enum ?? []),
  ...(schema.type === "boolean" && schema.const === undefined ? [true, false] : []),
];

function valueChoice(value: unknown, { default: standard, description }: RecipeSchema, writing: Writing): RecipeChoice {
  const label = String(value);
  const written = typeof value === "string" ? textLike(value, writing) : label;
  return {
    ...{ label, kind: "value", isRequired: false, apply: withGap(written, "", writing) },
    ...(standard === value && { detail: "default" }),
    ...(description !== undefined && { info: description }),
  };
}

const nameChoice = (name: string, writing: Writing, after: string): RecipeChoice => ({
  ...{ label: name, kind: "name", isRequired: false },
  apply: withGap(textLike(name, writing), after, writing),
});

const PLAIN_WORD = /^[A-Za-z_][\w.-]*(?: [A-Za-z_][\w.-]*)*$/;
const RESERVED_WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Text with quotes where YAML needs them, or where quotes were begun. */
function textLike(text: string, { text: all, place }: Writing): string {
  const quote = all[place.from];
  const isPlain = PLAIN_WORD.test(text) && !RESERVED_WORD.test(text);
  return quote === '"' || quote === "'" || !isPlain ? JSON.stringify(text) : text;
}

const isColumn = ({ description }: RecipeSchema): boolean => description === COLUMN_WORDS;

/** The known columns, and those that the recipe mentions, each once. */
function columnNames({ root, schema, columns, place }: Writing): string[] {
  const names = new Set(columns);
  const pending: Typed[] = root ? [{ node: root, schemas: alternatives(schema) }] : [];
  let left = NODES_MAX;
  for (let next = pending.pop(); next && left > 0; next = pending.pop()) {
    left -= 1;
    for (const { name, from } of namedColumns(next)) if (from !== place.from) names.add(name);
    for (const inner of innerNodes(next)) pending.push(inner);
  }
  names.delete("");
  return [...names];
}

/** A node with the schemas that it may have. */
interface Typed {
  node: OutlineNode;
  schemas: readonly RecipeSchema[];
}

function namedColumns({ node, schemas }: Typed): { name: string; from: number }[] {
  if (node.kind === "scalar") return schemas.some(isColumn) ? [{ name: node.text, from: node.from }] : [];
  if (node.kind === "list" || !narrowed(schemas, node).some(hasColumnKeys)) return [];
  return node.entries.map(({ key, from }) => ({ name: key, from }));
}

function innerNodes({ node, schemas }: Typed): Typed[] {
  if (node.kind === "scalar") return [];
  if (node.kind === "list") {
    const items = schemas.flatMap(itemsOf);
    return items.length === 0 ? [] : node.items.flatMap((item) => (item ? [{ node: item, schemas: items }] : []));
  }
  const possible = narrowed(schemas, node);
  return node.entries.flatMap(({ key, value }) => {
    const inner = possible.flatMap((each) => below(each, key));
    return value && inner.length > 0 ? [{ node: value, schemas: inner }] : [];
  });
}

const hasColumnKeys = ({ propertyNames }: RecipeSchema): boolean =>
  propertyNames !== undefined && isColumn(propertyNames);

/** The names of sources and tables. */
function relationNames(root: OutlineNode | undefined): string[] {
  if (root?.kind !== "map") return [];
  return root.entries.flatMap(({ key, value }) =>
    (key === "sources" || key === "tables") && value?.kind === "list"
      ? value.items.flatMap((item) => scalarAt(item, "name") ?? [])
      : [],
  );
}

/** The text of an object's key; undefined without one. */
export function scalarAt(node: OutlineNode | undefined, key: string): string | undefined {
  if (node?.kind !== "map") return undefined;
  const value = node.entries.find((entry) => entry.key === key)?.value;
  return value?.kind === "scalar" ? value.text : undefined;
}

/** What is said about a value: its description, its form, and what it is if left out. */
function meaningOf(schemas: readonly RecipeSchema[]): string {
  const descriptions = new Set(schemas.flatMap(({ description }) => description ?? []));
  const forms = [...new Set(schemas.map(formOf))].filter((form) => form !== "");
  const standard = schemas.find((schema) => schema.default !== undefined)?.default;
  return [
    ...descriptions,
    ...(forms.length > 0 ? [capitalised(`${forms.slice(0, 6).join(", or ")}.`)] : []),
    ...(standard === undefined ? [] : [`Default: ${JSON.stringify(standard)}.`]),
  ].join("\n");
}

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function formOf({ type, enum: values, minimum, maximum, maxLength, ...schema }: RecipeSchema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (values) return `one of ${values.join(", ")}`;
  const bounds = minimum === undefined || maximum === undefined ? "" : ` from ${minimum} to ${maximum}`;
  if (type === "string") return maxLength === undefined ? "text" : `text of at most ${maxLength} characters`;
  if (type === "integer") return `a whole number${bounds}`;
  if (type === "number") return `a number${bounds}`;
  if (type === "boolean") return "true or false";
  if (type === "array") return "a list";
  return type === "object" ? "an object" : "";
}
