/**
 * The line of the text that each JSON Pointer leads to, from 1; if it leads nowhere, the line of the enclosing value.
 * If the text is neither YAML nor JSON, every pointer leads to the line of its first error.
 */
export async function faultLines(text: string, pointers: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { isMap, isNode, isSeq, LineCounter, parseDocument } = await import("yaml"); // only once something is wrong
  const counter = new LineCounter();
  const { contents, errors } = parseDocument(text, { lineCounter: counter, prettyErrors: false, stringKeys: true });
  const [first] = errors;
  if (first) return new Map(pointers.map((pointer) => [pointer, counter.linePos(first.pos[0]).line]));
  /** What a name leads to, and where that begins: at its key if it has one. */
  const below = (node: unknown, name: string): { child: unknown; place: unknown } => {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === unescaped(name)) : undefined;
    const child = isSeq(node) ? node.items[Number(name)] : pair?.value;
    return { child, place: pair?.key ?? child };
  };
  const offsetOf = (pointer: string): number => {
    let node: unknown = contents;
    let offset = 0;
    for (const name of pointer.split("/").slice(1)) {
      const { child, place } = below(node, name);
      offset = (isNode(place) ? place.range?.[0] : undefined) ?? offset;
      node = child;
    }
    return offset;
  };
  return new Map(pointers.map((pointer) => [pointer, counter.linePos(offsetOf(pointer)).line]));
}

const unescaped = (name: string): string => name.replaceAll("~1", "/").replaceAll("~0", "~");
