import { type DocContent, h2, list, text } from "@/lib/docs/doc";

export const changes: DocContent = () => [
  text(
    "Write a client once. Routes of `v2` and documents of a `schema_version` only gain fields; any other change is " +
      "released as a new version alongside the old one.",
  ),
  h2("grows", "What may be added at any time"),
  list(
    "Optional request fields, query parameters and headers.",
    "Fields in replies. Ignore unknown fields.",
    "Values of open lists: error codes, reason codes, kinds of events. Handle an unknown error code by its HTTP " +
      "status.",
    "Column types, filter operators and aggregate functions. The meaning of an existing operator never changes.",
  ),
  h2("stays", "What never changes"),
  list(
    "Published versions: their rows, digests, ids and numbers. A withdrawn version reports the reason.",
    "Cursors of a version, for as long as it exists.",
    "The meaning of a query that is valid today.",
  ),
  h2("ends", "Deprecation"),
  list(
    "A deprecated feature remains available for at least 12 months alongside its replacement.",
    "From the first day, every reply has `Deprecation` " +
      "([RFC 9745](https://www.rfc-editor.org/rfc/rfc9745)) and `Sunset` " +
      "([RFC 8594](https://www.rfc-editor.org/rfc/rfc8594)) headers, and `Link` points here and to the successor " +
      '(`rel="successor-version"`). The OpenAPI document marks it as deprecated.',
    "The connector’s tools follow the same rule. A removed tool returns the name of its replacement for 6 more " +
      "months.",
    "The changelog marks each change accordingly.",
  ),
];
