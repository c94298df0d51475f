import type { ErrorCode } from "@/lib/kernel/errors";
import type { KeyPermission } from "@/lib/schemas/key-scope";

/** Kinds of caller, by their credential. */
export const CREDENTIALS = {
  anonymous: "none",
  use_key: "a use key, svc_use_…",
  live_key: "a legacy subscription key, svc_live_…",
  device: "a device credential, svc_cli_…",
  session: "a signed-in person's cookie",
  connection: "a bearer token of a connected agent",
} as const satisfies Record<string, string>;

export type CredentialKind = keyof typeof CREDENTIALS;

/** What a caller can reach once the credential is valid. Everything else is reported as not found. */
export const REACHES = {
  public: "public datasets",
  "public and own": "public datasets, and private ones in the caller’s workspace",
  activated: "tables that the key's workspace activated (without an active subscription: 402 subscription_inactive)",
  "any visitor": "yes, from the service's own pages",
  "own account": "the person's own account",
  "as a member": "workspaces where the person is a member or owner",
  "own workspace": "the credential's own workspace, on a paid plan, with the scope datasets:build",
  "as a member, paid": "workspaces on a paid plan that the person is a member or owner of",
  "as an owner": "workspaces that the person owns (a member: 403 insufficient_scope)",
} as const satisfies Record<string, string>;

export type Reach = keyof typeof REACHES;

export type Cell = Reach | Extract<ErrorCode, "key_missing" | "key_wrong_type">;

interface AccessRow {
  title: string;
  /** About people rather than data: replies must not be cached by others, and other sites may not call. */
  personal?: true;
  /** Reads, too, are accepted only from the service's own pages. */
  ownPages?: true;
  /** For subscribers' programs: only GET and OPTIONS, and no limits per IP address. */
  hosted?: true;
  /** The row that applies instead when the operation is called through the connector. */
  connector?: string;
  /** The same when a page calls it for a member of a workspace. */
  page?: string;
  /** What a use key must be allowed to do. Others with the row's access need no such permission. */
  keyNeeds?: KeyPermission;
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

/** Whole tables, for those who sent a use key. */
const WITH_USE_KEY = {
  anonymous: "key_missing",
  use_key: "public and own",
  live_key: "key_wrong_type",
  device: "key_wrong_type",
  session: "key_missing",
  connection: "key_missing",
} as const satisfies AccessRow["cells"];

/** Bearer tokens belong to the connector, which also accepts keys as bearer tokens: other routes do not read them. */
const KEYS_REJECTED = {
  anonymous: "key_missing",
  use_key: "key_wrong_type",
  live_key: "key_wrong_type",
  device: "key_wrong_type",
  connection: "key_missing",
} as const;

/**
 * THE access table: every operation names its row; the cell for the kind of caller says what they can reach, or how
 * they are rejected. `lib/access/authorize.ts` enforces it, the tests go through every cell, and the docs print it.
 */
export const ACCESS = {
  open: {
    title: "Catalogue, metadata, schema, preview, versions",
    connector: "connector_open",
    page: "page_open",
    cells: { ...everybody("public"), use_key: "public and own" },
  },
  page_open: {
    title: "A member's pages: find, understand and sample",
    cells: { ...everybody("public"), session: "public and own" },
  },
  open_query: { title: "Query without a key", cells: everybody("public") },
  use_key: {
    title: "Query with a key",
    connector: "connector_read",
    page: "page_read",
    keyNeeds: "read",
    cells: WITH_USE_KEY,
  },
  download: {
    title: "Download whole files with a key",
    keyNeeds: "download",
    cells: WITH_USE_KEY,
  },
  page_read: {
    title: "A member's pages: query a private dataset",
    cells: { ...WITH_USE_KEY, session: "public and own" },
  },
  hosted: {
    title: "Hosted tables: download and freshness",
    hosted: true,
    cells: {
      anonymous: "key_missing",
      use_key: "key_wrong_type",
      live_key: "activated",
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
    keyNeeds: "read",
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
  operator: { title: "The administrator's commands, on the service's own machine", cells: everybody("key_missing") },
  connector_build: {
    title: "Connector: build datasets",
    cells: {
      anonymous: "key_missing",
      use_key: "key_wrong_type",
      live_key: "key_wrong_type",
      device: "own workspace",
      session: "key_missing",
      connection: "own workspace",
    },
  },
  visitor: {
    title: "Sign up, confirm an email address, reset a password",
    personal: true,
    cells: everybody("any visitor"),
  },
  own_browser: {
    title: "Query and download in your own browser, for a workspace",
    personal: true,
    ownPages: true,
    cells: { ...KEYS_REJECTED, session: "as a member" },
  },
  second_step: {
    title: "Confirm a sign-in with a passkey or a recovery code",
    personal: true,
    cells: { ...KEYS_REJECTED, session: "own account" },
  },
  account: { title: "Your account", personal: true, cells: { ...KEYS_REJECTED, session: "own account" } },
  member: { title: "A workspace, as a member", personal: true, cells: { ...KEYS_REJECTED, session: "as a member" } },
  build: {
    title: "Build datasets, as a member of a workspace on a paid plan",
    personal: true,
    connector: "connector_build",
    cells: { ...KEYS_REJECTED, session: "as a member, paid" },
  },
  build_read: {
    title: "See what a workspace builds, as a member",
    personal: true,
    connector: "connector_build",
    cells: { ...KEYS_REJECTED, session: "as a member" },
  },
  upload: {
    title: "Upload a file for recipes, in a browser or from a terminal, to a workspace on a paid plan",
    personal: true,
    cells: { ...KEYS_REJECTED, device: "own workspace", session: "as a member, paid" },
  },
  uploads: {
    title: "List and delete files that were uploaded for recipes, in a browser or from a terminal",
    personal: true,
    cells: { ...KEYS_REJECTED, device: "own workspace", session: "as a member" },
  },
  owner: { title: "A workspace, as an owner", personal: true, cells: { ...KEYS_REJECTED, session: "as an owner" } },
} as const satisfies Record<string, AccessRow>;

export type Access = keyof typeof ACCESS;

/** What a use key must be allowed to do for the row; undefined if any key will do. */
export const keyNeedsOf = (access: Access): KeyPermission | undefined => (ACCESS[access] as AccessRow).keyNeeds;

/** Whether calls, including reads, are accepted only from the service's own pages: each uses the person's quota. */
export const isForOwnPages = (access: Access): boolean => "ownPages" in ACCESS[access];

/** Whether the rules of the hosted table API apply: only GET and OPTIONS, and no limits per IP address. */
export const isHosted = (access: Access): boolean => "hosted" in ACCESS[access];

export const isPersonal = (access: Access): boolean => "personal" in ACCESS[access];

/** Whether a row is for those who send a use key. */
export const needsUseKey = (access: Access): boolean =>
  ACCESS[access].cells.anonymous === "key_missing" && ACCESS[access].cells.use_key === "public and own";
