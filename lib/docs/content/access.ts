import { ACCESS, type Access } from "@/lib/access/access-table";
import { accessGroups, type Rejection } from "@/lib/docs/access-groups";
import { type Block, type DocContent, h2, h3, list, name, table, text } from "@/lib/docs/doc";

export const access: DocContent = () => [
  text(
    "This table alone determines access. A resource that the caller may not read gives a 404 that is " +
      "byte-identical to that of a missing one: unknown, private, foreign and withdrawn cannot be told apart.",
  ),
  h2("credentials", "Credentials"),
  list(
    "**None.** Catalogue, metadata, schema, preview and the anonymous query route.",
    "**A use key** (your API key), `svc_use_…`, in the `x-api-key` header; for the [connector](/docs/connect) " +
      "as `Authorization: Bearer svc_use_…`. It reads public datasets and the private ones of its workspace. The " +
      "first read of a public dataset connects it to the workspace automatically.",
    "**A session cookie**, for the service’s own pages. Pages of other sites cannot use it.",
    "**An agent’s access token**, issued when a person [connects an app](/docs/connect). It is a bearer token " +
      "for the connector only, limited to one workspace and the granted scopes. The app renews it automatically; " +
      "[Settings, Access](/settings/access#agents) revokes it.",
    "**A device credential**, `svc_cli_…`, issued by [`parquetry login`](/docs/command-line). Like an agent’s " +
      "token it is valid for the connector only, with its workspace and scopes. As `x-api-key` it " +
      "uploads, lists and deletes files for recipes; everywhere else it is rejected with `key_wrong_type`.",
    "**A live key**, `svc_live_…`, only in the `x-api-key` header of the [hosted table API](/docs/hosted-tables). " +
      "It belongs to a workspace with an active subscription, and opens the tables that the workspace activated. " +
      "Other routes reject it with `key_wrong_type`.",
  ),
  h2("table", "Access by credential"),
  text(
    "The connector accepts use keys for reading. A tool that changes the workspace rejects them in its result, " +
      "with HTTP status 200: only signing in helps, not another header.",
  ),
  ...(Object.keys(ACCESS) as Access[]).flatMap(accessBlocks),
];

function accessBlocks(row: Access): Block[] {
  const { title } = ACCESS[row];
  const rows = accessGroups(row).map(({ callers, reach, rejection }) => [
    callers.join("; "),
    reach ?? rejectionText(rejection),
  ]);
  return [h3(`access-${row.replaceAll("_", "-")}`, title), table(title, ["Credential", "Access"], rows)];
}

const rejectionText = (rejection: Rejection | undefined): string => {
  if (!rejection) return "";
  return rejection.inResult
    ? `200, with \`isError\` and ${name(rejection.code)} in the result`
    : `${rejection.status} ${name(rejection.code)}`;
};
