import { SaxesParser } from "saxes";
import { mismatch, ReadFailure } from "@/lib/readers/failure";

export interface XmlHandlers {
  /** Names without their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether the rest may be left unread. */
  isOver?(): boolean;
}

/** A document within whose bytes nothing begins or ends would have to be held in memory. */
const SILENT_BYTES_MAX = 16 * 1024 * 1024;
const DEPTH_MAX = 1000;

/**
 * Reads an XML document in UTF-8 as a stream. Rejects document types, so that no entity can expand recursively, and
 * invalid bytes.
 */
export async function readXml(source: AsyncIterable<Buffer>, what: string, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let fault: string | undefined;
  let [silent, depth] = [0, 0];
  const heard = <Arguments extends unknown[]>(handle: (...args: Arguments) => void) => {
    return (...args: Arguments) => {
      silent = 0;
      if (fault === undefined) handle(...args);
    };
  };
  parser.on("doctype", () => {
    fault ??= "it has a DOCTYPE";
  });
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding))
      fault ??= `its encoding is ${encoding.slice(0, 40)}, not UTF-8`;
  });
  parser.on("error", (error) => {
    fault ??= `not well-formed XML: ${error.message.slice(0, 100).replace(/\.$/, "")}`;
  });
  parser.on(
    "opentag",
    heard((tag) => {
      depth += 1;
      if (depth > DEPTH_MAX) fault ??= `its elements are nested more than ${DEPTH_MAX} deep`;
      handlers.open?.(local(tag.name), withoutPrefixes(tag.attributes));
    }),
  );
  parser.on(
    "text",
    heard((text) => handlers.text?.(text)),
  );
  parser.on(
    "cdata",
    heard((text) => handlers.text?.(text)),
  );
  parser.on(
    "closetag",
    heard((tag) => {
      depth -= 1;
      handlers.close?.(local(tag.name));
    }),
  );
  const check = () => {
    if (fault !== undefined) throw mismatch(`The workbook's ${what} cannot be read: ${fault}. Save it again.`);
  };
  for await (const text of decoded(source, what)) {
    silent += text.length;
    parser.write(text);
    check();
    if (silent > SILENT_BYTES_MAX)
      throw new ReadFailure(
        "archive_unsafe",
        `The workbook's ${what} has a string, tag or comment of more than 16 MiB.`,
      );
    if (handlers.isOver?.()) return;
  }
  parser.close();
  check();
}

async function* decoded(source: AsyncIterable<Buffer>, what: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw mismatch(`The workbook's ${what} cannot be read: it is not UTF-8. Save it again.`);
    }
  };
  for await (const chunk of source) yield decode(chunk);
  yield decode();
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

function withoutPrefixes(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {};
  for (const name in attributes) plain[local(name)] = attributes[name] ?? "";
  return plain;
}
