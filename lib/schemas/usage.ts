import { z } from "zod";

/** The kinds of reader for a workspace; `browser`: a person signed in on the service's own pages. */
const USAGE_KINDS = ["key", "agent", "device", "browser"] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

const counts = {
  queries: z.int(),
  downloads: z.int(),
  rows: z.int().describe("Rows returned by queries."),
  bytes: z.int().describe("Bytes returned by queries and downloads."),
};
const countsSchema = z.object(counts);
const sums = { ...counts, today: countsSchema.describe("The same for today only (UTC).") };

const leftSchema = z.object({
  limit: z.int(),
  used: z.int().describe("As counted by the rate limit."),
  resets_at: z.iso.datetime().describe("When the count resets: the next full minute, or midnight (UTC)."),
});

export const usageSchema = z
  .object({
    schema_version: z.literal("service-usage.v1"),
    from: z.iso.date(),
    to: z.iso.date().describe("Today (UTC)."),
    total: z.object(sums),
    days: z.array(z.object({ day: z.iso.date(), ...counts })).describe("Every day of the period, in order."),
    tables: z.array(
      z.object({
        table_id: z.uuid(),
        name: z.string().nullable().describe("Null if the workspace can no longer read it."),
        slug: z.string().nullable(),
        dataset: z.object({ slug: z.string(), title: z.string() }).nullable(),
        ...sums,
      }),
    ),
    keys: z.array(
      z.object({
        key_id: z.uuid().describe("Id of the key, or of the agent's connection."),
        kind: z.enum(USAGE_KINDS),
        name: z.string().nullable().describe("Null for other people's keys and agents, unless the caller is an owner."),
        ends: z.string().nullable().describe("Also null for agents, which have no key."),
        revoked: z.boolean(),
        ...sums,
      }),
    ),
    limits: z
      .array(
        z.object({
          key_id: z.uuid().describe("Id of the key, or of the agent's or device's connection."),
          kind: z.enum(USAGE_KINDS),
          name: z.string().nullable().describe("Null for a device without a name."),
          ends: z.string().nullable().describe("Null for agents, which have no key."),
          queries_minute: leftSchema,
          queries_day: leftSchema,
          downloads_day: leftSchema.nullable().describe("Null for agents and devices, which cannot download."),
        }),
      )
      .describe(
        "Quota use of each active key, agent and device, as counted by the rate limits. Each has its own quotas.",
      ),
  })
  .meta({ id: "Usage" });
export type Usage = z.output<typeof usageSchema>;

export const connectionsSchema = z
  .object({
    schema_version: z.literal("service-connections.v1"),
    datasets: z.array(
      z.object({
        slug: z.string().nullable().describe("Null if the dataset can no longer be read."),
        title: z.string().nullable(),
        url: z.url().nullable(),
        connected_at: z.iso.datetime(),
        last_read: z.iso.date().nullable().describe("Day (UTC)."),
      }),
    ),
  })
  .meta({ id: "Connections" });
export type Connections = z.output<typeof connectionsSchema>;
