import { z } from "zod";

const columnSchema = z.object({ table: z.string(), column: z.string() });

/** One place where two documents differ. */
export const differenceSchema = z.object({
  pointer: z.string(),
  op: z.enum(["add", "remove", "replace"]),
  before: z.unknown(),
  after: z.unknown(),
});

/** What a revision changes, by comparing plans. */
export const impactSchema = z.object({
  level: z.enum(["texts", "safe", "shape", "sources", "publishing"]),
  columns: z.object({
    added: z.array(columnSchema),
    removed: z.array(columnSchema),
    retyped: z.array(columnSchema.extend({ from: z.string(), to: z.string() })),
    renamed: z.array(columnSchema.extend({ to: z.string() })),
  }),
  keys_changed: z.array(z.string()).describe("Tables whose key, order or time column changed."),
  contracts_changed: z.array(z.string()).describe("Tables whose contract changed."),
  checks_weakened: z.array(z.object({ table: z.string(), check: z.string(), how: z.enum(["removed", "loosened"]) })),
  new_hosts: z.array(z.string()),
  new_credentials: z.array(z.string()),
  schedule_changed: z.boolean(),
  reads_more_often: z.boolean(),
});
export type ImpactBrief = z.output<typeof impactSchema>;
export type DifferenceBrief = z.output<typeof differenceSchema>;
