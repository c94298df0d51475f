import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { BUILD, buildPathSchema } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { listSecrets } from "@/lib/store/sources/secrets";

const instant = z.iso.datetime().nullable();

/** GET the names of the workspace's source credentials. */
export const listSourceCredentials = operation({
  name: "list_source_credentials",
  summary: "List source credentials",
  description:
    "Names, kinds and allowed hosts of the credentials that recipes may name; never their values. A person stores " +
    "them, and their hosts, at manage_url.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/credentials` },
  input: { path: buildPathSchema },
  output: z.object({
    credentials: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        field: z.string().nullable(),
        hosts: z.array(z.string()),
        created_at: z.iso.datetime(),
        replaced_at: instant,
        last_used_at: instant,
        usable: z.boolean().describe("Whether a person has allowed any host for it."),
      }),
    ),
    manage_url: z.url(),
  }),
  async run(_input, ctx) {
    const secrets = await listSecrets(membershipOf(ctx).workspaceId);
    return {
      credentials: secrets.map(({ name, kind, field, hosts, createdAt, replacedAt, lastUsedAt }) => ({
        ...{ name, kind, field, hosts, usable: hosts.length > 0 },
        created_at: createdAt.toISOString(),
        replaced_at: replacedAt?.toISOString() ?? null,
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
      manage_url: `${ctx.baseUrl}/settings/secrets`,
    };
  },
  mcp: {},
});
