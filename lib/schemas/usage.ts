import { z } from "zod";

const counts = {
  queries: z.int(),
  downloads: z.int(),
  rows: z.int().describe("Rows of query replies."),
  bytes: z.int().describe("Bytes of query replies and downloads."),
};
const countsSchema = z.object(counts);
const sums = { ...counts, today: countsSchema.describe("The same of today (UTC) alone.") };

const leftSchema = z.object({
  limit: z.int(),
  used: z.int().describe("As the limit itself counts."),
  resets_at: z.iso.datetime().describe("When the count begins anew: the next full minute, or midnight (UTC)."),
});

export const usageSchema = z
  .object({
    schema_version: z.literal("service-usage.v1"),
    from: z.iso.date(),
    to: z.iso.date().describe("Today (UTC)."),
    total: z.object(sums),
    days: z.array(z.object({ day: z.iso.date(), ...counts })).describe("Every day of the span in turn."),
    tables: z.array(
      z.object({
        table_id: z.uuid(),
        name: z.string().nullable().describe("Null where the workspace may no longer read it."),
        slug: z.string().nullable(),
        dataset: z.object({ slug: z.string(), title: z.string() }).nullable(),
        ...sums,
      }),
    ),
    keys: z.array(
      z.object({
        key_id: z.uuid().describe("Of the key, or of the agent's connection."),
        kind: z.enum(["key", "agent", "device"]),
        name: z.string().nullable().describe("Null for other people's keys and agents, unless the caller is an owner."),
        ends: z.string().nullable().describe("Null for an agent too, which has no key."),
        revoked: z.boolean(),
        ...sums,
      }),
    ),
    limits: z
      .array(
        z.object({
          key_id: z.uuid().describe("Of the key, or of the agent's or device's connection."),
          kind: z.enum(["key", "agent", "device"]),
          name: z.string().nullable().describe("Null for a device that gave none."),
          ends: z.string().nullable().describe("Null for an agent, which has no key."),
          queries_minute: leftSchema,
          queries_day: leftSchema,
          downloads_day: leftSchema.nullable().describe("Null for agents and devices, which download nothing."),
        }),
      )
      .describe(
        "What each working key, agent and device has used of its allowances, as the limits count. Each has its own.",
      ),
  })
  .meta({ id: "Usage" });
export type Usage = z.output<typeof usageSchema>;

export const connectionsSchema = z
  .object({
    schema_version: z.literal("service-connections.v1"),
    datasets: z.array(
      z.object({
        slug: z.string().nullable().describe("Null where the dataset can no longer be read."),
        title: z.string().nullable(),
        url: z.url().nullable(),
        connected_at: z.iso.datetime(),
        last_read: z.iso.date().nullable().describe("Day (UTC)."),
      }),
    ),
  })
  .meta({ id: "Connections" });
export type Connections = z.output<typeof connectionsSchema>;
