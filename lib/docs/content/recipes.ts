import { RECIPE_SCHEMA_PATH } from "@/lib/builds/json-schema";
import { type Block, type DocContent, h2, h3, list, name, text } from "@/lib/docs/doc";
import {
  RECIPE_BYTES_MAX,
  recipePublishSchema,
  recipeTableSchema,
  refreshSchema,
  STEPS_MAX,
} from "@/lib/schemas/recipe";
import { ENCODINGS, READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { PAGING, SOURCES } from "@/lib/schemas/recipe-source";
import { keysOf } from "./recipe-parts";

const KINDS: Readonly<Record<keyof typeof SOURCES, string>> = {
  http: "One or more files, or a paged query, at URLs.",
  upload:
    "A file that a person uploads in the studio or with `parquetry upload`: the newest one with that name, or the " +
    "one with the given digest. Names belong to the workspace.",
  package:
    "Files of an npm package, verified by the registry’s sha512. A recipe that reads a single package labels its " +
    "versions with the package’s.",
  table: "A table of this service, at a version or the current one.",
};

export const recipes: DocContent = ({ place: { base } }) => [
  text(
    "A recipe says, without code, how sources become tables: a `service-recipe.v1` document, in JSON or YAML. The " +
      "complete document is checked before anything is read; all faults are reported at once, with a pointer to " +
      `each. Its JSON Schema is at \`${base}${RECIPE_SCHEMA_PATH}\`. The connector’s build guide leads from a URL to ` +
      "a dataset.",
  ),
  list(
    "`schema_version`: `service-recipe.v1`.",
    "`sources`: 1 to 20 [sources](#sources), each with a [reader](#readers).",
    "`tables`: 1 to 20 [tables](#tables), each made from a source or an earlier table by [steps](/docs/recipe-steps) " +
      "and verified by [checks](/docs/recipe-functions#checks).",
    "`refresh`: when the sources are read again. If absent: when somebody starts a run.",
    "`publish`: licence, topics and publisher.",
  ),
  text(
    `A document has at most ${RECIPE_BYTES_MAX / 1024} KiB as JSON and ${STEPS_MAX} steps. Numbers keep their ` +
      "digits. It cannot contain secrets: a person stores them in the settings, and a source refers to them in " +
      "`credential`.",
  ),
  h2("sources", "Sources"),
  ...Object.keys(KINDS).flatMap((kind) => sourceBlocks(kind as keyof typeof KINDS)),
  h3("pages", "Pages"),
  text("`pages` of an http source reads a query page by page. An empty page always ends it."),
  ...Object.entries(PAGING).map(([by, schema]) => keysOf(`Pages by ${by}`, schema)),
  h3("partitions", "Partitions"),
  text(
    "`urls`, `template` and `slices` split a source into at most 500 partitions. A full run requests the newest " +
      "`reread` partitions of a template or of slices, and uses the stored bytes of all others; a sample reads the " +
      "oldest and the newest. A partition that returns 404 or 410 is `missing`.",
  ),
  h3("inspection", "Inspection"),
  text(
    "The tool `start_source_inspection`, and the command `parquetry inspect`, look at the beginning of a source and " +
      "propose its reader, pages and archive member, the steps that give its columns their types, and the columns of " +
      "the result, each with its reason. They can be put straight into a recipe, and `parquetry inspect SOURCE " +
      "--recipe TITLE` prints one in YAML; nothing is guessed in a run.",
  ),
  h2("readers", "Readers"),
  text(
    "`reader: {format, options}` says how bytes become rows. Nothing is guessed: options that are not given have " +
      "their defaults.",
  ),
  ...Object.entries(READER_OPTIONS).flatMap(([format, schema]) => [
    h3(`reader-${format}`, format),
    keysOf(`Options of ${format}`, schema),
  ]),
  text(`Encodings: ${ENCODINGS.map(name).join(", ")}.`),
  h2("tables", "Tables"),
  keysOf("Keys of a table", recipeTableSchema),
  h2("refresh", "Refresh"),
  keysOf("Keys of refresh", refreshSchema),
  h2("publish", "Publish"),
  keysOf("Keys of publish", recipePublishSchema),
];

const sourceBlocks = (kind: keyof typeof KINDS): Block[] => [
  h3(`source-${kind}`, kind),
  text(KINDS[kind]),
  keysOf(`Keys of a source of kind ${kind}`, SOURCES[kind], ["reader.format", "reader.options", "pages"]),
];
