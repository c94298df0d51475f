import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { SaxesParser } from "saxes";
import { mismatch } from "@/lib/readers/failure";

export interface XmlHandlers {
  /** Names without their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether the rest may be left unread. */
  isOver?(): boolean;
}

/** Reads an XML document as a stream. Rejects document types, so that no entity can expand recursively. */
export async function readXml(source: Readable, what: string, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let fault: string | undefined;
  parser.on("doctype", () => {
    fault ??= "it has a DOCTYPE";
  });
  parser.on("error", (error) => {
    fault ??= `not well-formed XML: ${error.message.slice(0, 100)}`;
  });
  parser.on("opentag", (tag) => handlers.open?.(local(tag.name), withoutPrefixes(tag.attributes)));
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("cdata", (text) => handlers.text?.(text));
  parser.on("closetag", (tag) => handlers.close?.(local(tag.name)));
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  const write = (text: string) => {
    parser.write(isFirst && text.startsWith("\ufeff") ? text.slice(1) : text);
    isFirst = false;
    if (fault !== undefined) throw mismatch(`The workbook's ${what} cannot be read: ${fault}.`);
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    write(decoder.write(chunk));
    if (handlers.isOver?.()) return;
  }
  write(decoder.end());
  parser.close();
  if (fault !== undefined) throw mismatch(`The workbook's ${what} cannot be read: ${fault}.`);
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

function withoutPrefixes(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {};
  for (const name in attributes) plain[local(name)] = attributes[name] ?? "";
  return plain;
}
