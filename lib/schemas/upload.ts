import { z } from "zod";

/** The name under which recipes read an upload. */
export const uploadNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    "Use at most 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.",
  );

/** The name suggested by a file's own name; empty if it has no letter or digit. */
export const suggestedName = (fileName: string): string =>
  fileName
    .slice(0, 255)
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[._-]{1,255}/, "")
    .slice(0, 100);

export const uploadSchema = z
  .object({
    name: z.string().describe("Its name in recipes."),
    content_digest: z.string().describe("sha256: and the SHA-256 of its bytes."),
    bytes: z.int().min(1),
    file_name: z.string().nullable(),
    media_type: z.string().nullable().describe("As the client declared it."),
    stored_at: z.iso.datetime(),
    last_read_at: z.iso.datetime().nullable().describe("When a run last read it."),
    current: z.boolean().describe("Whether recipes that name no digest read this one."),
  })
  .meta({ id: "Upload" });
export type Upload = z.output<typeof uploadSchema>;

/** The largest part of a file that is sent in parts: proxies let bodies of this size through. */
export const UPLOAD_PART_BYTES = 16 * 1024 * 1024;

export const unfinishedUploadSchema = z.object({
  name: z.string().nullable().describe("Its name in recipes, as given with its first part."),
  file_name: z.string().nullable(),
  content_digest: z.string().describe("Of the complete file."),
  held_bytes: z.int(),
  total_bytes: z.int(),
  changed_at: z.iso.datetime().describe("When its last part arrived; two days later it is deleted."),
});
export type UnfinishedUpload = z.output<typeof unfinishedUploadSchema>;
