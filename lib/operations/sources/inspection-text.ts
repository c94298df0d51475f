import type { InspectionReply } from "@/lib/schemas/inspection";

const COLUMNS_SHOWN = 100;

/** An inspection for a model to read: the state in one line, what was found, and the call that comes next. */
export function inspectionText(reply: InspectionReply): string {
  const { state, inspection_id: id, failure, next } = reply;
  const head = state === "failed" ? `FAILED: ${failure?.code}: ${failure?.message}` : state.toUpperCase();
  const lines = [
    `${head}; inspection ${id}`,
    ...(failure ? [`Fix: ${failure.fix}`] : []),
    ...transportLines(reply),
    ...formatLines(reply),
    ...rawLines(reply),
    ...columnLines(reply),
    ...(reply.warnings ?? []).map((warning) => `Warning: ${warning}`),
    ...(reply.licence_hints ?? []).map((hint) => `Licence, as the source says: ${hint}`),
    ...(reply.source ? [`source: ${JSON.stringify(reply.source)}`] : []),
    ...(reply.source && reply.table ? [`steps: ${JSON.stringify(reply.table.steps)}`] : []),
    ...(reply.source && reply.table ? [`columns: ${JSON.stringify(reply.table.columns)}`] : []),
  ];
  return [...lines, `Next: ${next}`].join("\n");
}

function transportLines({ transport }: InspectionReply): string[] {
  if (!transport) return [];
  const { status, final_url, bytes, bytes_read, media_type, last_modified, resumable } = transport;
  // of several requests, if the first reply asked to try again
  const isWhole = bytes === null || bytes_read > bytes;
  const size = isWhole ? `${bytes_read} bytes read` : `${bytes_read} of ${bytes} bytes read`;
  const facts = [status, final_url, media_type, size, last_modified && `last modified ${last_modified}`];
  return [[...facts.filter((fact) => fact !== null), ...(resumable ? ["resumable"] : [])].join("; ")];
}

function formatLines({ format, containers = [], encoding, dialect, sheets, json }: InspectionReply): string[] {
  const packed = containers.map(({ kind, members, chosen }) => {
    const names = members.map(({ name }) => JSON.stringify(name)).join(", ");
    return names === ""
      ? `In ${kind}`
      : `In ${kind} of ${names}${chosen === null ? "" : `; read: ${JSON.stringify(chosen)}`}`;
  });
  return [
    ...packed,
    ...(format ? [`Format ${format.value}: ${format.why}`] : []),
    ...(encoding ? [`Encoding ${encoding.value}: ${encoding.why}`] : []),
    ...(encoding?.others ?? []).map(({ value, line }) => `  by ${value}: ${JSON.stringify(line)}`),
    ...(dialect
      ? [
          `Delimiter ${JSON.stringify(dialect.delimiter)}, quote ${dialect.quote}, score ${dialect.score}; ` +
            `next ${JSON.stringify(dialect.runner_up.delimiter)} ${dialect.runner_up.score}`,
        ]
      : []),
    ...(sheets ?? []).map(
      ({ name, hidden, rows, columns }) =>
        `Sheet ${JSON.stringify(name)}: ${hidden ? "hidden" : `${rows} rows, ${columns} columns looked at`}`,
    ),
    ...(json?.candidates ?? []).map(
      ({ pointer, shape, items }) => `Records at ${JSON.stringify(pointer)}: ${shape} of ${items}`,
    ),
    ...(json?.paging ? [`Pages by ${json.paging.why}: ${JSON.stringify(json.paging.pages)}`] : []),
  ];
}

function rawLines({ raw, format }: InspectionReply): string[] {
  const isJson = format?.value === "json" || format?.value === "ndjson";
  const cellsText = (cells: readonly string[]) => (isJson ? cells.join("") : JSON.stringify(cells));
  return raw ? ["Raw records:", ...raw.map(({ n, cells }) => `${n}: ${cellsText(cells)}`)] : [];
}

function columnLines({ columns, rows, tried }: InspectionReply): string[] {
  if (!columns || columns.length === 0) return [];
  const count =
    rows?.count != null ? `${rows.count} rows` : rows?.estimate != null ? `about ${rows.estimate} rows` : "";
  const head = `Columns${tried ? ", read by this reader" : ", proposed"}${count === "" ? "" : `; ${count}`}:`;
  const lines = columns.slice(0, COLUMNS_SHOWN).map(({ name, type, why, nulls, null_tokens: tokens, examples }) => {
    const missing =
      nulls === 0
        ? ""
        : `; ${nulls} null${tokens.length > 0 ? ` (${tokens.map((t) => JSON.stringify(t)).join(" ")})` : ""}`;
    const shown = examples.map((example) => JSON.stringify(example)).join(", ");
    return `${name} ${type}: ${why}${missing}; such as ${shown}`;
  });
  const more = columns.length - lines.length;
  return [head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])];
}
