import { z } from "zod";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { secretHostsSchema, secretNameSchema } from "@/lib/schemas/secret";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { changeSecretHosts, listSecrets } from "@/lib/store/sources/secrets";
import { rotateSecrets } from "@/lib/vault/rotate";

/** Every source credential, or a workspace's, without its value. */
export const listAllSecrets = operation({
  name: "list_all_secrets",
  summary: "List source credentials",
  description: "Lists source credentials with name, kind, times and encryption key.",
  access: "operator",
  quota: "none",
  input: { body: z.strictObject({ workspace: z.string().optional().describe("only this workspace's") }) },
  output: z.array(
    z.strictObject({
      workspace: z.uuid(),
      name: z.string(),
      kind: z.string(),
      created_at: z.iso.datetime(),
      last_used_at: z.iso.datetime().nullable(),
      last_used_by: z.string().nullable(),
      sealed_with: z.string(),
    }),
  ),
  async run({ body: { workspace } }) {
    if (workspace !== undefined && !isUuid(workspace)) throw new Error(`Unknown workspace: ${workspace}`);
    const secrets = await listSecrets(workspace);
    return secrets.map(({ workspaceId, name, kind, createdAt, lastUsedAt, lastUsedBy, sealedWith }) => ({
      workspace: workspaceId,
      name,
      kind,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
      last_used_by: lastUsedBy,
      sealed_with: sealedWith,
    }));
  },
  cli: {
    usage: "secrets list",
    valueNames: { workspace: "id" },
    view: (secrets: Record<string, unknown>[]) =>
      secrets.length === 0 ? { line: "no secrets" } : { tables: [secrets] },
  },
});

const HOSTS_HELP = `
A credential is sent to these hosts and nowhere else; *.example.org stands for every host below it. The list is
replaced; none alone makes the credential unusable.

  parquetry secrets hosts weather --workspace 6d6f0a52-… --hosts api.example.org *.data.example.org`;

/** The hosts that a workspace's source credential may be sent to. */
export const setSecretHosts = operation({
  name: "set_secret_hosts",
  summary: "Change the hosts of a source credential",
  description: "Replaces the hosts to which a workspace's source credential may be sent.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      name: secretNameSchema,
      workspace: z.uuid().describe("the workspace's"),
      hosts: z.array(z.string()).min(1).describe("host names or *.suffix, or none"),
    }),
  },
  output: z.strictObject({ workspace: z.uuid(), name: z.string(), hosts: z.array(z.string()) }),
  async run({ body: { name, workspace, hosts } }) {
    const wanted = hosts.length === 1 && hosts[0] === "none" ? [] : hosts;
    const parsed = secretHostsSchema.safeParse({ hosts: wanted });
    if (!parsed.success) throw new Error(parsed.error.issues[0]?.message ?? "Invalid hosts.");
    const listed = [...new Set(parsed.data.hosts)];
    await changeSecretHosts(ADMINISTRATOR, { workspaceId: workspace, name }, listed);
    return { workspace, name, hosts: listed };
  },
  cli: {
    usage: "secrets hosts <name>",
    valueNames: { workspace: "id", hosts: "host" },
    help: HOSTS_HELP,
    view: ({ hosts, ...rest }: { hosts: string[] }) => ({ record: { ...rest, hosts: hosts.join(", ") || "none" } }),
  },
});

const rotationSchema = z.strictObject({
  current: z.string(),
  resealed: z.int(),
  unused: z.array(z.string()),
  unopened: z.array(z.string()).describe("Credentials that cannot be decrypted, as workspace/name."),
});

const named = (names: readonly string[]): string => names.join(", ") || "none";

/** Encrypts every source credential with a new key. */
export const rotateAllSecrets = operation({
  name: "rotate_secrets",
  summary: "Rotate the encryption key of source credentials",
  description:
    "Re-encrypts every source credential with a new key (with PARQUETRY_SECRETS_KEYS, with its first key) and " +
    "deletes unused keys. Safe while the service runs; run it again if it was interrupted. Fails if a " +
    "credential cannot be decrypted.",
  access: "operator",
  quota: "none",
  input: {},
  output: rotationSchema,
  async run(_input, ctx) {
    const { unopened, ...rotation } = await rotateSecrets(ctx.now());
    return { ...rotation, unopened: unopened.map(({ workspaceId, name }) => `${workspaceId}/${name}`) };
  },
  cli: {
    usage: "secrets rotate",
    view: ({ unused, unopened, ...rotation }: z.output<typeof rotationSchema>) => ({
      record: { ...rotation, unused: named(unused), unopened: named(unopened) },
    }),
    failed: ({ unopened }: z.output<typeof rotationSchema>) => unopened.length > 0,
  },
});
