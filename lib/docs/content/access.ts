import { ACCESS, type Access } from "@/lib/access/access-table";
import { accessGroups, type Refusal } from "@/lib/docs/access-groups";
import { type Block, type DocContent, h2, h3, list, name, table, text } from "@/lib/docs/doc";

export const access: DocContent = () => [
  text(
    "The service decides by this table alone. What lies outside of a caller’s reach answers 404, with the same " +
      "bytes as what does not exist: unknown, private, foreign and withdrawn cannot be told apart.",
  ),
  h2("credentials", "Credentials"),
  list(
    "**None.** Catalogue, metadata, schema, preview and the query route without a key.",
    "**A use key**, `svc_use_…`, in the header `x-api-key`; for the [connector](/docs/connect) as " +
      "`Authorization: Bearer svc_use_…`. It reads public datasets and the private ones of its workspace; the " +
      "first read of a public dataset connects it to the workspace, without any step of yours.",
    "**A signed-in person’s cookie**, for the service’s own pages. Other sites’ pages cannot use it.",
    "**A connected agent’s token**: what a program got when its person [let it in](/docs/connect). It is a " +
      "bearer token for the connector alone, for one workspace and the scopes that were allowed; the program " +
      "renews it by itself, and [Settings, Access](/settings/access#agents) disconnects it.",
    "**A device’s credential**, `svc_cli_…`: what [`parquetry login`](/docs/command-line) got when its person " +
      "let it in. It opens the connector as a connected agent’s token does, for its workspace and scopes, and " +
      "nothing else: as `x-api-key` it is refused with `key_wrong_type`.",
    "Keys of other kinds (`svc_live_…`) are refused where a use key belongs, with `key_wrong_type`.",
  ),
  h2("table", "Who reaches what"),
  text(
    "A use key holds on the connector, so a tool that changes the workspace refuses it in its result, with " +
      "HTTP status 200: another header would not help, signing in does.",
  ),
  ...(Object.keys(ACCESS) as Access[]).flatMap(accessBlocks),
];

function accessBlocks(row: Access): Block[] {
  const { title } = ACCESS[row];
  const rows = accessGroups(row).map(({ callers, reach, refusal }) => [
    callers.join("; "),
    reach ?? refusalText(refusal),
  ]);
  return [h3(`access-${row.replaceAll("_", "-")}`, title), table(title, ["Credential", "Reaches"], rows)];
}

const refusalText = (refusal: Refusal | undefined): string => {
  if (!refusal) return "";
  return refusal.inResult
    ? `200, with \`isError\` and ${name(refusal.code)} in the result`
    : `${refusal.status} ${name(refusal.code)}`;
};
