import type { NewClient } from "@/lib/store/people/oauth-clients";

export const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * Our own command line, the only client that may use a code that a person types elsewhere. Nothing proves to the person
 * where such a code came from, so if anybody could register such a client, it would be a ready tool for phishing emails
 * that ask people to "confirm this code".
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
