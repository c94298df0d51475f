import type { z } from "zod";
import { isPersonal } from "@/lib/access/access-table";
import { ERRORS } from "@/lib/kernel/errors";
import { type RoutedOperation, schemasOf } from "@/lib/operations/operation";
import { errorsOf } from "@/lib/operations/operation-errors";
import { whoOf } from "./access-groups";
import { type Block, type DocContext, h2, list, name, samples, text } from "./doc";
import { operationSamples, sampleValues } from "./samples/operation-sample";
import { schemaExample } from "./schema-example";
import { jsonSchemaOf, schemaFields } from "./schema-fields";
import type { TryCall, TryField } from "./try-call";

function requirementOf({ access }: RoutedOperation): string {
  const who = whoOf(access);
  return who === "anybody" ? "No authentication required." : `Requires ${who}.`;
}

/** The page of an operation. `reply` is this service's reply to the example, if there is one. */
export function operationBlocks(operation: RoutedOperation, { place }: DocContext, reply: string | undefined): Block[] {
  return [
    { kind: "code", label: "Route", language: "text", code: `${operation.http.method} ${operation.http.path}` },
    text(`${requirementOf(operation)} See [Access](/docs/access#access-${operation.access.replaceAll("_", "-")}).`),
    ...(isPersonal(operation.access)
      ? [
          text(
            "This route is for the service’s own pages: it requires a signed-in person’s cookie and, for calls " +
              "that change something, the service’s own origin.",
          ),
        ]
      : []),
    ...requestBlocks(operation),
    ...exampleBlocks(operation, place),
    ...replyBlocks(operation, reply),
    h2("errors", "Errors"),
    {
      kind: "table",
      label: "Errors",
      head: ["Status", "Code", "What to do"],
      rows: errorsOf(operation).map((code) => ({
        cells: [String(ERRORS[code].status), `[${name(code)}](/docs/errors#${code})`, ERRORS[code].fix],
      })),
    },
  ];
}

function requestBlocks(operation: RoutedOperation): Block[] {
  const input = schemasOf(operation);
  const path = schemaFields(input.path).map((field) => ({
    ...field,
    isRequired: true,
    type: field.type === "any value" ? "string" : field.type,
  }));
  const query = schemaFields(input.query);
  const body = input.body ? schemaFields(input.body) : [];
  return [
    ...(path.length > 0 ? [h2("path", "In the path"), fields("Fields of the path", path)] : []),
    ...(query.length > 0 ? [h2("parameters", "Query parameters"), fields("Parameters", query)] : []),
    ...(body.length > 0 ? [h2("body", "Body"), fields("Fields of the body", body)] : []),
  ];
}

const fields = (label: string, all: ReturnType<typeof schemaFields>): Block => ({ kind: "fields", label, fields: all });

function exampleBlocks(operation: RoutedOperation, place: DocContext["place"]): Block[] {
  const inLanguages = operationSamples(operation);
  if (inLanguages.length > 0) {
    const call = tryCall(operation, place);
    return [
      h2("example", "Example"),
      samples("Example", ...inLanguages),
      ...(call ? [{ kind: "try" as const, call }] : []),
    ];
  }
  const schema = schemasOf(operation).body;
  const body = schema && JSON.stringify(schemaExample(schema), null, 2);
  const head = `${operation.http.method} ${operation.http.path}`;
  const code = body ? `${head}\ncontent-type: application/json\n\n${body}` : head;
  return [h2("example", "Example"), { kind: "code", label: "Request", language: "text", code }];
}

function replyBlocks(operation: RoutedOperation, live: string | undefined): Block[] {
  const { output, replyHeaders = {}, http, alternatives = {} } = operation;
  const headers = Object.entries(replyHeaders).map(([header, words]) => `${name(header)}: ${words}`);
  const about = "mediaType" in output ? [text(`A file: ${name(output.mediaType)}.`)] : [];
  const example =
    live ??
    ("mediaType" in output || !isPersonal(operation.access)
      ? undefined
      : JSON.stringify(schemaExample(output), null, 2));
  return [
    h2("reply", "Reply"),
    text(
      "Status " +
        `${http.status ?? 200}.` +
        (Object.keys(alternatives).length > 0 ? " Also in [other formats](/docs/formats#pages)." : ""),
    ),
    ...about,
    ...(example
      ? [
          {
            kind: "code" as const,
            label: live ? "A reply from this service, with long lists and strings shortened" : "An example",
            language: "json" as const,
            code: example,
          },
        ]
      : []),
    ...("mediaType" in output
      ? []
      : [fields("Fields of the reply", schemaFields(output))].filter(
          (block) => block.kind === "fields" && block.fields.length > 0,
        )),
    ...(headers.length > 0 ? [h2("headers", "Headers of the reply"), list(...headers)] : []),
  ];
}

/** What the try-it form sends: open operations only, so that it never needs a key. */
export function tryCall(operation: RoutedOperation, place: DocContext["place"]): TryCall | undefined {
  const { access, http, output, examples } = operation;
  const input = schemasOf(operation);
  const isOpen = access === "open_query" || (access === "open" && http.method === "GET");
  if (!isOpen || "mediaType" in output) return undefined;
  const values = sampleValues(operation, place);
  const fieldsOf = (schema: z.ZodType, at: "path" | "query"): TryField[] =>
    Object.entries(jsonSchemaOf(schema).properties ?? {}).map(([key, property]) => ({
      name: key,
      place: at,
      value: values[at][key] ?? "",
      hint: property.description ?? "",
      ...(property.enum && { options: property.enum.map(String) }),
    }));
  return {
    method: http.method,
    path: http.path,
    fields: [...fieldsOf(input.path, "path"), ...fieldsOf(input.query, "query")],
    ...(examples?.body && { body: JSON.stringify(examples.body, null, 2) }),
  };
}
