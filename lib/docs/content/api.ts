import { whoOf } from "@/lib/docs/access-groups";
import { type Block, type DocContent, h2, list, table, text } from "@/lib/docs/doc";
import { operationPath } from "@/lib/docs/operation-list";
import { TAGS, tagOf } from "@/lib/openapi/document";
import { ROUTED } from "@/lib/operations/registry";

export const api: DocContent = () => [
  text(
    "Every route with its parameters, body, reply and errors. Routes that require no key can be tried on their " +
      "page. In machine-readable form: the [OpenAPI document](/api/v2/public/openapi.json).",
  ),
  h2("conventions", "Common to all endpoints"),
  list(
    "Request bodies are JSON in UTF-8, at most 64 KiB. Unknown fields and parameters are rejected, never ignored.",
    "Every reply has an `X-Request-Id` header. Send your own (8 to 64 letters, digits, `_` and `-`) and it is echoed.",
    "Open routes allow every origin (CORS), send a strong `ETag`, and answer `If-None-Match` with 304.",
    "Send keys in the `x-api-key` header. See [Access](/docs/access), [Limits](/docs/limits) and " +
      "[Errors](/docs/errors).",
  ),
  ...TAGS.flatMap(({ name, description }) => [
    h2(name === "account" ? "account" : `routes-${name}`, title(name)),
    text(description),
    routes(name),
  ]),
];

const title = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

function routes(tag: string): Block {
  const rows = ROUTED.filter((operation) => tagOf(operation) === tag).map((operation) => [
    `[${operation.summary}](${operationPath(operation.name)})`,
    `\`${operation.http.method} ${operation.http.path}\``,
    whoOf(operation.access),
  ]);
  return table(`Routes: ${tag}`, ["Operation", "Route", "Credential"], rows);
}
