import { z } from "zod";

/** A waiting command line, as shown to its person. */
export const deviceRequestSchema = z
  .object({
    schema_version: z.literal("service-device-request.v1"),
    user_code: z.string().describe("The code shown by the command line: BCDF-GHJK."),
    name: z.string().nullable().describe("The computer's name as sent by the command line; not verified."),
    scopes: z.array(z.string()),
    asked_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    same_address: z
      .boolean()
      .nullable()
      .describe("Whether the request came from the caller's own IP address; null if unknown."),
  })
  .meta({ id: "DeviceRequest" });
export type DeviceRequest = z.output<typeof deviceRequestSchema>;

export const deviceAnswerSchema = z
  .object({
    schema_version: z.literal("service-device-answer.v1"),
    decision: z.enum(["allowed", "refused"]),
    name: z.string().nullable(),
  })
  .meta({ id: "DeviceAnswer" });
export type DeviceAnswer = z.output<typeof deviceAnswerSchema>;

const deviceSchema = z.object({
  id: z.uuid(),
  name: z.string().nullable().describe("The computer's name as sent by the command line; not verified."),
  ends: z.string().describe("Prefix, first and last four characters; the full credential is not stored."),
  scopes: z.array(z.string()),
  allowed_by: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe("Accurate to a minute."),
  expires_at: z.iso.datetime(),
});

export const devicesSchema = z
  .object({ schema_version: z.literal("service-devices.v1"), devices: z.array(deviceSchema) })
  .meta({ id: "Devices" });
export type Devices = z.output<typeof devicesSchema>;
