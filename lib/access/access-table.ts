import type { ErrorCode } from "@/lib/kernel/errors";

/** Kinds of caller, by the credential that they bring. */
export const CREDENTIALS = {
  anonymous: "none",
  use_key: "a use key, svc_use_…",
  live_key: "a legacy subscription key, svc_live_…",
  device: "a device credential, svc_cli_…",
  session: "a signed-in person's cookie",
  connection: "a bearer token of a connected agent",
} as const satisfies Record<string, string>;

export type CredentialKind = keyof typeof CREDENTIALS;

/** What a caller reaches once the credential holds. Whatever lies outside reads as not found. */
export const REACHES = {
  public: "public datasets",
  "public and own": "public datasets, and the private ones of the own workspace",
  "any visitor": "yes, from the service's own pages",
  "own account": "the person's own account",
  "as a member": "workspaces that the person is a member or owner of",
  "as an owner": "workspaces that the person owns (a member: 403 insufficient_scope)",
} as const satisfies Record<string, string>;

export type Reach = keyof typeof REACHES;

export type Cell = Reach | Extract<ErrorCode, "key_missing" | "key_wrong_type">;

interface AccessRow {
  title: string;
  /** About people rather than data: replies are nobody else's to keep, and other sites may not call. */
  personal?: true;
  /** The row that holds in its place where the operation is called through the connector. */
  connector?: string;
  cells: Readonly<Record<CredentialKind, Cell>>;
}

const everybody = <T extends Cell>(cell: T): Record<CredentialKind, T> => ({
  anonymous: cell,
  use_key: cell,
  live_key: cell,
  device: cell,
  session: cell,
  connection: cell,
});

/** A bearer token belongs to the connector, which takes keys as bearer tokens too: other routes do not read it. */
const KEYS_REFUSED = {
  anonymous: "key_missing",
  use_key: "key_wrong_type",
  live_key: "key_wrong_type",
  device: "key_wrong_type",
  connection: "key_missing",
} as const;

/**
 * THE access table: every operation names its row; the cell of the caller's kind says what they reach, or how they are
 * refused.
 * `lib/access/authorize.ts` runs on it, the tests go through every cell of it, and the docs print it.
 */
export const ACCESS = {
  open: {
    title: "Catalogue, metadata, schema, preview, versions",
    connector: "connector_open",
    cells: { ...everybody("public"), use_key: "public and own" },
  },
  open_query: { title: "Query without a key", cells: everybody("public") },
  use_key: {
    title: "Query and download with a key",
    connector: "connector_read",
    cells: {
      anonymous: "key_missing",
      use_key: "public and own",
      live_key: "key_wrong_type",
      device: "key_wrong_type",
      session: "key_missing",
      connection: "key_missing",
    },
  },
  connector_open: {
    title: "Connector: find, understand and sample",
    cells: {
      ...everybody("public"),
      use_key: "public and own",
      live_key: "key_wrong_type",
      device: "public and own",
      connection: "public and own",
    },
  },
  connector_read: {
    title: "Connector: query and search sources",
    cells: {
      anonymous: "key_missing",
      use_key: "public and own",
      live_key: "key_wrong_type",
      device: "public and own",
      session: "key_missing",
      connection: "public and own",
    },
  },
  connector_change: {
    title: "Connector: change the workspace",
    cells: {
      anonymous: "key_missing",
      use_key: "key_wrong_type",
      live_key: "key_wrong_type",
      device: "public and own",
      session: "key_missing",
      connection: "public and own",
    },
  },
  visitor: { title: "Sign up, prove an address, reset a password", personal: true, cells: everybody("any visitor") },
  account: { title: "One's own account", personal: true, cells: { ...KEYS_REFUSED, session: "own account" } },
  member: { title: "A workspace, as a member", personal: true, cells: { ...KEYS_REFUSED, session: "as a member" } },
  owner: { title: "A workspace, as an owner", personal: true, cells: { ...KEYS_REFUSED, session: "as an owner" } },
} as const satisfies Record<string, AccessRow>;

export type Access = keyof typeof ACCESS;

export const isPersonal = (access: Access): boolean => "personal" in ACCESS[access];
