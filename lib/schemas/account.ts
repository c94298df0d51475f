import { z } from "zod";
import { billingSchema } from "./billing";
import { nameSchema } from "./name";

export const emailSchema = z
  .string()
  .trim()
  .max(254)
  .toLowerCase()
  .pipe(z.email({ error: "Enter a valid email address." }))
  .describe("An email address.");

export const passwordSchema = z
  .string()
  .max(1024)
  .describe("A password: at least 10 characters that are hard to guess.");
export const tokenSchema = z.string().max(200).describe("The token of a link.");
export const personNameSchema = nameSchema.nullable().describe("The person's display name; null for none.");
export const workspaceNameSchema = nameSchema.describe("The workspace's name.");
export const roleSchema = z.enum(["owner", "member"]);
export const planSchema = z.enum(["free", "paid"]);
export const subscriptionSchema = z.enum(["active", "past_due", "canceled"]);

/** For replies that only confirm an action. */
export const doneSchema = z
  .object({ schema_version: z.literal("service-done.v1"), status: z.string() })
  .meta({ id: "Done" });
export const done = (status: string): z.output<typeof doneSchema> => ({ schema_version: "service-done.v1", status });

export const workspaceSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    personal: z.boolean().describe("Every person has one personal workspace, which cannot be left."),
    role: roleSchema.describe("The caller's role in the workspace."),
    members: z.int(),
    plan: planSchema,
    subscription: subscriptionSchema.nullable(),
    subscription_active: z.boolean().describe("Whether the workspace can build and its live keys work."),
    past_due_until: z.iso
      .datetime()
      .nullable()
      .describe("When a subscription that is past due ends, unless it is paid."),
    billing: billingSchema,
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Workspace" });

export const accountSchema = z
  .object({
    schema_version: z.literal("service-account.v1"),
    id: z.uuid(),
    email: z.string(),
    email_verified: z.boolean(),
    name: z.string().nullable(),
    has_password: z.boolean(),
    identities: z.array(z.string()).describe("Linked identity providers."),
    created_at: z.iso.datetime(),
    workspaces: z.array(workspaceSchema).describe("The personal workspace comes first."),
  })
  .meta({ id: "Account" });
export type Account = z.output<typeof accountSchema>;

export const sessionsSchema = z
  .object({
    schema_version: z.literal("service-sessions.v1"),
    sessions: z.array(
      z.object({
        id: z.uuid(),
        browser: z.string(),
        current: z.boolean().describe("The session that made this call."),
        created_at: z.iso.datetime(),
        last_seen_at: z.iso.datetime().describe("Accurate to a minute."),
        expires_at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: "Sessions" });
export type Sessions = z.output<typeof sessionsSchema>;
