import { constants } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { mismatch } from "@/lib/readers/failure";
import { type Fields, footerFault, readInteger, readList, readStruct } from "./thrift";

/** A node of a file's schema, in the order of the file: a group before its children. */
export interface SchemaNode {
  name: string;
  /** Undefined for a leaf. */
  children: number | undefined;
  fields: Fields;
}

/** What the end of a Parquet file says about it. */
export interface Footer {
  /** FileMetaData, not parsed further. */
  fields: Fields;
  /** The first node is the root. */
  nodes: SchemaNode[];
  rows: number;
  /** Where the footer begins in the file. */
  from: number;
}

/** Numbers of fields, from the format's own definition (parquet.thrift). */
const METADATA = { schema: 2, rows: 3, encryption: 8 };
const NODE = { type: 1, name: 4, children: 5 };

const MAGIC = "PAR1";
const ENCRYPTED_MAGIC = "PARE";
/** The footer's length, and the last magic. */
const TAIL = 8;
const AGAIN = "Download the file again, or write it again.";

/** Reads a file's footer. Rejects a file that is not whole, not Parquet or encrypted, by its actual cause. */
export async function readFooter(path: string): Promise<Footer> {
  const { bytes, from } = await footerBytes(path);
  const fields = readStruct(bytes);
  if (fields.has(METADATA.encryption)) throw encrypted();
  const nodes = schemaNodes(fields);
  if (nodes.length < 2) throw mismatch("The Parquet file has no columns. Write it with one at least.");
  const rows = fields.get(METADATA.rows);
  return { fields, nodes, rows: rows ? readInteger(rows) : 0, from };
}

/** Whether a file begins and ends as Parquet does. */
export async function isParquet(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const at = async (from: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, from);
      return buffer.toString("latin1", 0, bytesRead);
    };
    return size >= MAGIC.length + TAIL && (await at(0)) === MAGIC && (await at(size - MAGIC.length)) === MAGIC;
  } finally {
    await file.close();
  }
}

/** Copies a file with another footer. */
export async function copyWithFooter(source: string, target: string, from: number, footer: Buffer): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  const file = await open(target, "r+");
  try {
    const tail = Buffer.alloc(TAIL);
    tail.writeUInt32LE(footer.length, 0);
    tail.write(MAGIC, 4, "latin1");
    const whole = Buffer.concat([footer, tail]);
    await file.write(whole, 0, whole.length, from);
    await file.truncate(from + whole.length);
  } finally {
    await file.close();
  }
}

async function footerBytes(path: string): Promise<{ bytes: Buffer; from: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const read = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    const head = (await read(0, MAGIC.length)).toString("latin1");
    const tail = await read(Math.max(0, size - TAIL), TAIL);
    checkMagic(head, tail.subarray(-MAGIC.length).toString("latin1"), size);
    const length = tail.readUInt32LE(0);
    const from = size - TAIL - length;
    if (from < MAGIC.length)
      throw mismatch(`The Parquet file is damaged: its footer is longer than the file. ${AGAIN}`);
    return { bytes: await read(from, length), from };
  } finally {
    await file.close();
  }
}

function checkMagic(head: string, tail: string, size: number): void {
  if (tail === ENCRYPTED_MAGIC) throw encrypted();
  const [begins, ends] = [head === MAGIC, tail === MAGIC];
  if (!begins && !ends)
    throw mismatch(`The file is not Parquet: it neither begins nor ends with ${MAGIC}. Choose the format that it has.`);
  if (!ends || size < MAGIC.length + TAIL) throw mismatch(`The Parquet file is cut off: its end is missing. ${AGAIN}`);
  if (!begins) throw mismatch(`The Parquet file is damaged: its beginning is missing. ${AGAIN}`);
}

const encrypted = () => mismatch("The Parquet file is encrypted. Write it again without encryption.");

function schemaNodes(fields: Fields): SchemaNode[] {
  const schema = fields.get(METADATA.schema);
  const nodes = schema ? readList(schema).items.map(schemaNode) : [];
  if (nodes.length > 0 && subtreeEnd(nodes, 0) !== nodes.length) throw footerFault("the schema is not a tree");
  return nodes;
}

function schemaNode(bytes: Buffer): SchemaNode {
  const fields = readStruct(bytes);
  const [name, children] = [fields.get(NODE.name), fields.get(NODE.children)];
  const isLeaf = fields.has(NODE.type);
  return {
    name: name ? text(name.raw) : "",
    children: isLeaf || !children ? undefined : readInteger(children),
    fields,
  };
}

/** A string without its length, whose bytes each have seven bits of it. */
function text(raw: Buffer): string {
  let at = 0;
  while ((raw[at] ?? 0) > 127) at += 1;
  return raw.subarray(at + 1).toString("utf8");
}

/** The index after a node and all below it; -1 if the schema ends before. No recursion: the depth is the file's. */
export function subtreeEnd(nodes: readonly SchemaNode[], at: number): number {
  let left = 1;
  let next = at;
  for (; left > 0 && next < nodes.length; next += 1) left += (nodes[next]?.children ?? 0) - 1;
  return left === 0 ? next : -1;
}

/** A node's children, by their indexes. */
export function childrenOf(nodes: readonly SchemaNode[], at: number): number[] {
  const children: number[] = [];
  let next = at + 1;
  for (let left = nodes[at]?.children ?? 0; left > 0; left -= 1) {
    children.push(next);
    next = subtreeEnd(nodes, next);
  }
  return children;
}
