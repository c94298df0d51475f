import { z } from "zod";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { labelSchema, notesSchema } from "@/lib/schemas/publish";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { editVersion as edit } from "@/lib/store/datasets/version-names";

const HELP = `
Only the version's label and notes change; its id, rows and digest never do. An empty string ("") removes the value.
Labels are unique within the table. One of the version's other labels becomes its main label.

  parquetry version edit 6d6f0a52-… --label 1.54.0 --notes changes.md`;

const label = z
  .string()
  .transform((text) => (text === "" ? null : text))
  .pipe(labelSchema.nullable());
const notes = z
  .string()
  .transform((text) => text.trim() || null)
  .pipe(notesSchema.nullable());

/** Changes the given properties of a version, from the next request on. */
export const editVersion = operation({
  name: "edit_version",
  summary: "Edit a version's label or notes",
  description: "Edits the label or notes of a version. Only the given options change.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      version_id: z.string(),
      label: label.optional().describe("the source's name for this version, such as 1.54.0; unique within the table"),
      notes: notes.optional().describe("a Markdown file: what changed in this version"),
    }),
  },
  output: z.strictObject({ dataset: z.string(), table: z.string(), version: z.uuid(), changed: z.unknown() }),
  async run({ body: { version_id, ...texts } }) {
    if (Object.values(texts).every((value) => value === undefined))
      throw new Error("Nothing to change. Give --label or --notes.");
    const edited = isUuid(version_id) ? await edit(version_id, texts, ADMINISTRATOR) : undefined;
    if (!edited)
      throw new Error(
        `Unknown version: ${version_id}. List a table's versions with GET /api/v2/public/tables/ID/versions.`,
      );
    return { dataset: edited.dataset, table: edited.table, version: version_id, changed: edited.changed };
  },
  cli: { usage: "version edit <version-id>", valueNames: { notes: "file" }, files: ["notes"], help: HELP },
});
