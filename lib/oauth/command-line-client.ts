import type { NewClient } from "@/lib/store/oauth-clients";

export const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * Our own command line, the only client that may use a code that its person types elsewhere. Nothing proves to a person
 * where such a code came from, so a client that anybody could register would be a ready tool for phishing emails that
 * ask them to "confirm this code".
 */
export const COMMAND_LINE: NewClient = {
  id: "parquetry-cli",
  kind: "builtin",
  name: "Parquetry command line",
  uri: null,
  redirectUris: [],
  authMethod: "none",
  secretHash: null,
  fetchedAt: null,
};
