import { z } from "zod";

const contact = z
  .string()
  .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/, "Expected a mailto: or https: URL.")
  .optional();

const page = z.url({ protocol: /^https$/ }).optional();

/** Settings about the administrator: whom to write to, what holds, and how the host is proven. */
export const CONTACT_SETTINGS = {
  PARQUETRY_SUPPORT: contact.describe(
    "Whom people write to for help and about their data: a mailto: or https: URL, shown at the foot of every page.",
  ),
  PARQUETRY_PRIVACY_URL: page.describe("URL of the administrator's own privacy policy, linked from /docs/privacy."),
  PARQUETRY_TERMS_URL: page.describe(
    "URL of the administrator's terms of use, linked at the foot of every page and from sign-up.",
  ),
  PARQUETRY_ABOUT_URL: page.describe("URL of a page about the administrator, linked at the foot of every page."),
  PARQUETRY_CONTACT: contact.describe(
    "Where to report vulnerabilities: a mailto: or https: URL. Without it there is no /.well-known/security.txt.",
  ),
  MCP_REGISTRY_AUTH: z
    .string()
    .regex(
      /^v=MCPv1; k=(?:ed25519|ecdsap384); p=[A-Za-z0-9+/]{40,200}={0,2}$/,
      "Expected the line that mcp-publisher prints, such as v=MCPv1; k=ed25519; p=….",
    )
    .optional()
    .describe(
      "Line with the public key that proves this host to the MCP Registry, served at /.well-known/mcp-registry-auth; " +
        "without it there is no such file.",
    ),
};
