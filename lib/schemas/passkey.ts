import { z } from "zod";
import { nameSchema } from "./name";

/** Longest part of an authenticator's answer, in base64url characters. */
const PART_MAX = 8192;

const part = z
  .string()
  .regex(/^[A-Za-z0-9_-]*$/)
  .max(PART_MAX);

const answer = {
  id: part,
  rawId: part,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional(),
  clientExtensionResults: z.object({}),
};

/** A browser's RegistrationResponseJSON. */
export const createdSchema = z
  .object({
    ...answer,
    response: z.object({
      clientDataJSON: part,
      attestationObject: part,
      transports: z.array(z.string().max(40)).max(10).optional(),
    }),
  })
  .describe("What navigator.credentials.create() returned, as JSON.");

/** A browser's AuthenticationResponseJSON. */
export const confirmedSchema = z
  .object({
    ...answer,
    response: z.object({
      clientDataJSON: part,
      authenticatorData: part,
      signature: part,
      userHandle: part.optional(),
    }),
  })
  .describe("What navigator.credentials.get() returned, as JSON.");

export const passkeyNameSchema = nameSchema.describe("The person's own name for the passkey.");

/** Options for the browser's own call, which WebAuthn defines. */
export const challengeSchema = z
  .object({
    schema_version: z.literal("service-passkey-challenge.v1"),
    options: z.record(z.string(), z.unknown()).describe("Options of WebAuthn, as JSON; valid once, for five minutes."),
  })
  .meta({ id: "PasskeyChallenge" });

export const passkeysSchema = z
  .object({
    schema_version: z.literal("service-passkeys.v1"),
    passkeys: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable(),
      }),
    ),
    recovery_codes_left: z.int(),
    recently_proved: z
      .boolean()
      .describe("Whether this session proved who the person is in the last ten minutes, as changes here require."),
  })
  .meta({ id: "Passkeys" });
export type Passkeys = z.output<typeof passkeysSchema>;

export const recoveryCodesSchema = z
  .object({
    schema_version: z.literal("service-recovery-codes.v1"),
    recovery_codes: z.array(z.string()).describe("Shown only once. Each confirms one sign-in."),
  })
  .meta({ id: "RecoveryCodes" });
