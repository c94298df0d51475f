import { z } from "zod";

const contact = z
  .string()
  .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/, "Expected a mailto: or https: URL.")
  .optional();

const page = z.url({ protocol: /^https$/ }).optional();

/** Settings about the administrator: contacts, policies, and the proof of the host. */
export const CONTACT_SETTINGS = {
  PARQUETRY_SUPPORT: contact.describe(
    "Contact for help and for questions about personal data: a mailto: or https: URL, shown in every page's footer.",
  ),
  PARQUETRY_PRIVACY_URL: page.describe("URL of the administrator's own privacy policy, linked from /docs/privacy."),
  PARQUETRY_TERMS_URL: page.describe(
    "URL of the administrator's terms of use, linked in the footer of every page and from sign-up.",
  ),
  PARQUETRY_ABOUT_URL: page.describe("URL of a page about the administrator, linked in the footer of every page."),
  PARQUETRY_CONTACT: contact.describe(
    "Contact for vulnerability reports: a mailto: or https: URL. Without it, /.well-known/security.txt is not served.",
  ),
  MCP_REGISTRY_AUTH: z
    .string()
    .regex(
      /^v=MCPv1; k=(?:ed25519|ecdsap384); p=[A-Za-z0-9+/]{40,200}={0,2}$/,
      "Expected the line that mcp-publisher prints, such as v=MCPv1; k=ed25519; p=….",
    )
    .optional()
    .describe(
      "Line with the public key that proves ownership of this host to the MCP Registry, served at " +
        "/.well-known/mcp-registry-auth. Without it, this file is not served.",
    ),
};
