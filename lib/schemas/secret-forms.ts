import type { SecretKind } from "./secret";

interface SecretField {
  /** The name in the API. */
  name: string;
  label: string;
  /** Hidden while typing. */
  isSecret?: true;
  /** May be left empty; it is then omitted, unless `keepsEmpty`. */
  optional?: true;
  keepsEmpty?: true;
  placeholder?: string;
  hint?: string;
}

/** THE table of kinds of credentials: how a source receives them, and which fields they have. */
export const SECRET_FORMS: Record<SecretKind, { title: string; use: string; fields: readonly SecretField[] }> = {
  header: {
    title: "Header",
    use: "Sent in a header of each request.",
    fields: [
      { name: "field", label: "Header name", placeholder: "X-Api-Key" },
      { name: "value", label: "Value", isSecret: true },
    ],
  },
  bearer: {
    title: "Bearer token",
    use: "Sent as Authorization: Bearer.",
    fields: [{ name: "token", label: "Token", isSecret: true }],
  },
  basic: {
    title: "User name and password",
    use: "Sent as Authorization: Basic.",
    fields: [
      { name: "username", label: "User name" },
      {
        name: "password",
        label: "Password",
        isSecret: true,
        optional: true,
        keepsEmpty: true,
        hint: "May be empty for sources that use the key as the user name.",
      },
    ],
  },
  query: {
    title: "Query parameter",
    use:
      "Added to the URL of each request. Prefer a header if the source accepts one, because URLs end up in " +
      "the source’s logs.",
    fields: [
      { name: "field", label: "Parameter name", placeholder: "api_key" },
      { name: "value", label: "Value", isSecret: true },
    ],
  },
  s3: {
    title: "S3 keys",
    use: "Signs requests to an S3 bucket.",
    fields: [
      { name: "access_key_id", label: "Access key ID" },
      { name: "secret_access_key", label: "Secret access key", isSecret: true },
      {
        name: "session_token",
        label: "Session token",
        isSecret: true,
        optional: true,
        hint: "Only with temporary keys.",
      },
      { name: "region", label: "Region", optional: true, placeholder: "eu-west-1" },
      {
        name: "endpoint",
        label: "Endpoint",
        optional: true,
        placeholder: "https://s3.example.org",
        hint: "For S3-compatible stores other than Amazon’s.",
      },
    ],
  },
};

/** The request body for a credential, from the form's values. */
export function secretBody(kind: SecretKind, typed: Readonly<Record<string, string>>): Record<string, string> {
  const given = SECRET_FORMS[kind].fields.filter(
    ({ name, optional, keepsEmpty }) => !optional || keepsEmpty || typed[name],
  );
  return { kind, ...Object.fromEntries(given.map(({ name }) => [name, typed[name] ?? ""])) };
}
