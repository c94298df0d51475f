import { whoOf } from "@/lib/docs/access-groups";
import { type Block, type DocContent, h2, list, table, text } from "@/lib/docs/doc";
import { operationPath } from "@/lib/docs/operation-list";
import { TAGS, tagOf } from "@/lib/openapi/document";
import { OPERATIONS } from "@/lib/operations/registry";

export const api: DocContent = () => [
  text(
    "Every route, with its parameters, body, reply and errors. Routes that take no key can be tried on their " +
      "page. The same for programs: the [OpenAPI document](/api/v2/public/openapi.json).",
  ),
  h2("conventions", "Of all routes"),
  list(
    "Bodies are JSON in UTF-8, at most 64 KiB. Unknown fields and parameters are refused, never ignored.",
    "Every reply carries `X-Request-Id`; send one of your own (8 to 64 letters, digits, `_` and `-`) and it is echoed.",
    "Open routes answer every origin (CORS), carry a strong `ETag`, and answer `If-None-Match` with 304.",
    "Keys go in the header `x-api-key`. See [Access](/docs/access), [Limits](/docs/limits) and [Errors](/docs/errors).",
  ),
  ...TAGS.flatMap(({ name, description }) => [
    h2(name === "account" ? "account" : `routes-${name}`, title(name)),
    text(description),
    routes(name),
  ]),
];

const title = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

function routes(tag: string): Block {
  const rows = OPERATIONS.filter((operation) => tagOf(operation) === tag).map((operation) => [
    `[${operation.summary}](${operationPath(operation.name)})`,
    `\`${operation.http.method} ${operation.http.path}\``,
    whoOf(operation.access),
  ]);
  return table(`Routes: ${tag}`, ["What it does", "Route", "Takes"], rows);
}
