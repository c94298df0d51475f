/** An object of the text: its keys in their order, also those whose value is still missing. */
export interface OutlineMap {
  kind: "map";
  entries: OutlineEntry[];
  parent: OutlineSlot | undefined;
  from: number;
  /** Whether it is written with braces. */
  isFlow: boolean;
}

export interface OutlineEntry {
  key: string;
  from: number;
  to: number;
  isQuoted: boolean;
  value?: OutlineNode;
}

export interface OutlineList {
  kind: "list";
  items: (OutlineNode | undefined)[];
  /** Where each item begins: at its dash, if it has one. */
  starts: number[];
  parent: OutlineSlot | undefined;
  isFlow: boolean;
}

export interface OutlineScalar {
  kind: "scalar";
  text: string;
  from: number;
}

export type OutlineNode = OutlineMap | OutlineList | OutlineScalar;

/** Where a value belongs: the entry of an object, or the item of a list, by its index. */
export type OutlineSlot = { of: OutlineMap; at: number } | { of: OutlineList; at: number };

/** What is written at a position of the text. */
export interface OutlinePlace {
  /**
   * A key of the object `map`, or what begins the value of `slot` (undefined for the document): a value, or the first
   * key of an object.
   */
  at: { map: OutlineMap; entry: number | undefined } | { slot: OutlineSlot | undefined };
  /** Whether an object without braces may begin here, and whether a dash must be written first. */
  takesKeys: boolean;
  needsDash: boolean;
  isFlow: boolean;
  /** The word at the position. */
  from: number;
  to: number;
}

export interface Outline {
  root: OutlineNode | undefined;
  place: OutlinePlace | undefined;
}

/**
 * The objects, lists and values of YAML or JSON that is being written, as far as they can be recognized, and what is
 * written at a position. Never fails; what cannot be recognized is left out. Reads the text once.
 */
export function outlineOf(text: string, position = -1): Outline {
  return new OutlineReader(text, position).read();
}

interface Level {
  indent: number;
  node: OutlineMap | OutlineList;
}

const isSpace = (character: string | undefined): boolean => character === " " || character === "\t";
/** What ends a word after a colon or a dash, apart from the end of the text. */
const isGap = (character: string | undefined): boolean =>
  character === undefined || character === "\n" || character === "\r" || isSpace(character);

class OutlineReader {
  private readonly levels: Level[] = [];
  private root: OutlineNode | undefined;
  private place: OutlinePlace | undefined;

  constructor(
    private readonly text: string,
    private readonly position: number,
  ) {}

  read(): Outline {
    let at = 0;
    while (at <= this.text.length) at = this.readLine(at);
    return { root: this.root, place: this.place };
  }

  /** Reads a line and what it begins. Returns where the next line begins. */
  private readLine(start: number): number {
    const end = this.lineEnd(start);
    let at = start;
    while (at < end && isSpace(this.text[at])) at += 1;
    if (at === end || this.text[at] === "\r") {
      if (this.isHere(start, end)) this.noteBlank(this.position - start, this.position);
      return end + 1;
    }
    if (this.text[at] === "#" || this.text.startsWith("---", at)) return end + 1;
    return this.readContent(at - start, at, end);
  }

  private lineEnd(start: number): number {
    const found = this.text.indexOf("\n", start);
    return found === -1 ? this.text.length : found;
  }

  private isHere(from: number, to: number): boolean {
    return this.place === undefined && from <= this.position && this.position <= to;
  }

  /** Reads dashes, a key or a value that begin in this column. */
  private readContent(column: number, from: number, end: number): number {
    let [indent, at] = [column, from];
    while (this.text[at] === "-" && isGap(this.text[at + 1])) {
      this.openItem(indent, at);
      const next = this.skipSpaces(at + 1, end);
      const isLast = next >= end || this.text[next] === "\r";
      if (this.position > at && (isLast ? this.isHere(at + 1, end) : this.position < next))
        this.noteStart(this.slot(), this.position, this.position, true);
      if (isLast) return end + 1;
      indent += next - at;
      at = next;
    }
    if (this.text[at] === "{" || this.text[at] === "[") return this.readFlow(at, this.slotAt(indent), indent - 1);
    return this.readEntry(indent, at, end);
  }

  private skipSpaces(from: number, end: number): number {
    let at = from;
    while (at < end && isSpace(this.text[at])) at += 1;
    return at;
  }

  private openItem(indent: number, from: number): void {
    while ((this.levels.at(-1)?.indent ?? -1) > indent) this.levels.pop();
    let top = this.levels.at(-1);
    if (top?.node.kind !== "list" || top.indent < indent) {
      const parent = this.slot();
      const list: OutlineList = { kind: "list", items: [], starts: [], parent, isFlow: false };
      this.put(parent, list);
      top = { indent, node: list };
      this.levels.push(top);
    }
    const { node } = top;
    if (node.kind !== "list") return;
    node.items.push(undefined);
    node.starts.push(from);
  }

  /** The place of what comes next in the innermost object or list. */
  private slot(): OutlineSlot | undefined {
    const node = this.levels.at(-1)?.node;
    if (!node) return undefined;
    return node.kind === "map" ? { of: node, at: node.entries.length - 1 } : { of: node, at: node.items.length - 1 };
  }

  private slotAt(indent: number): OutlineSlot | undefined {
    this.leave(indent);
    return this.slot();
  }

  /** Leaves the objects and lists that end before a key in this column. */
  private leave(indent: number): void {
    for (let top = this.levels.at(-1); top; top = this.levels.at(-1)) {
      if (top.indent < indent || (top.indent === indent && top.node.kind === "map")) return;
      this.levels.pop();
    }
  }

  private put(slot: OutlineSlot | undefined, node: OutlineNode): void {
    if (!slot) this.root ??= node;
    else if (slot.of.kind === "list") slot.of.items[slot.at] ??= node;
    else {
      const entry = slot.of.entries[slot.at];
      if (entry) entry.value ??= node;
    }
  }

  /** Reads `key: value`, or a value, or the word that will become one of them. */
  private readEntry(indent: number, from: number, end: number): number {
    const key = this.keyAt(from, end);
    if (!key) return this.readWord(indent, from, end);
    this.leave(indent);
    let top = this.levels.at(-1);
    if (top?.node.kind !== "map" || top.indent < indent) {
      const parent = this.slot();
      const map: OutlineMap = { kind: "map", entries: [], parent, from, isFlow: false };
      this.put(parent, map);
      top = { indent, node: map };
      this.levels.push(top);
    }
    const map = top.node as OutlineMap;
    map.entries.push({ key: key.text, from, to: key.to, isQuoted: key.isQuoted });
    if (this.isHere(from, key.to)) {
      const entry = map.entries.length - 1;
      this.place = { at: { map, entry }, ...BLOCK, takesKeys: true, from, to: key.to };
    }
    return this.readValue(indent, key.colon + 1, end);
  }

  /** A key of a line, up to its colon; undefined if there is none. */
  private keyAt(from: number, end: number): { text: string; to: number; colon: number; isQuoted: boolean } | undefined {
    const quote = this.text[from];
    if (quote === '"' || quote === "'") {
      const to = this.quoteEnd(from, end);
      let colon = to;
      while (colon < end && isSpace(this.text[colon])) colon += 1;
      if (this.text[colon] !== ":") return undefined;
      return { text: unquoted(this.text.slice(from, to)), to, colon, isQuoted: true };
    }
    for (let at = from; at < end; at += 1) {
      if (this.text[at] === "#" && isSpace(this.text[at - 1])) return undefined;
      if (this.text[at] === ":" && isGap(this.text[at + 1]))
        return { text: this.text.slice(from, at).trimEnd(), to: at, colon: at, isQuoted: false };
    }
    return undefined;
  }

  /** Where quoted text ends, at the latest at `end`. */
  private quoteEnd(from: number, end: number): number {
    const quote = this.text[from];
    for (let at = from + 1; at < end; at += 1) {
      if (this.text[at] === "\\" && quote === '"') at += 1;
      else if (this.text[at] === quote) {
        if (quote === "'" && this.text[at + 1] === "'") at += 1;
        else return at + 1;
      }
    }
    return end;
  }

  private readValue(indent: number, after: number, end: number): number {
    const at = this.skipSpaces(after, end);
    const slot = this.slot();
    const first = this.text[at];
    const isEmpty = at >= end || first === "\r";
    if (this.isHere(after, isEmpty ? end : at - 1) || (first === "#" && this.position === at))
      this.noteStart(slot, this.position, this.position, false);
    if (isEmpty || first === "#") return end + 1;
    if (first === "{" || first === "[") return this.readFlow(at, slot, indent);
    if (first === "|" || first === ">") {
      this.put(slot, { kind: "scalar", text: "", from: at });
      return this.skipDeeper(end + 1, indent);
    }
    return this.readScalar(slot, indent, at, end);
  }

  private readScalar(slot: OutlineSlot | undefined, indent: number, at: number, end: number): number {
    const first = this.text[at];
    const isQuoted = first === '"' || first === "'";
    const to = isQuoted ? this.quoteEnd(at, end) : this.plainEnd(at, end);
    this.put(slot, { kind: "scalar", text: scalarText(this.text.slice(at, to)), from: at });
    if (this.isHere(at, to)) this.noteStart(slot, at, to, false);
    const isOpen = isQuoted && (to - at < 2 || this.text[to - 1] !== first);
    return isOpen ? this.skipDeeper(end + 1, indent) : end + 1;
  }

  /** Skips the lines of text that goes on below its key. */
  private skipDeeper(start: number, indent: number): number {
    let at = start;
    while (at <= this.text.length) {
      const end = this.lineEnd(at);
      let from = at;
      while (from < end && isSpace(this.text[from])) from += 1;
      if (from < end && from - at <= indent) return at;
      at = end + 1;
    }
    return at;
  }

  private plainEnd(from: number, end: number): number {
    let to = end;
    for (let at = from; at < end; at += 1)
      if (this.text[at] === "#" && isSpace(this.text[at - 1])) {
        to = at;
        break;
      }
    while (to > from && isGap(this.text[to - 1])) to -= 1;
    return to;
  }

  private readWord(indent: number, from: number, end: number): number {
    const to = this.plainEnd(from, end);
    while ((this.levels.at(-1)?.indent ?? -1) > indent) this.levels.pop();
    const top = this.levels.at(-1);
    if (this.isHere(from, to)) this.noteWord(top, indent, from, to);
    if (top === undefined || (top.node.kind === "list" && top.indent < indent)) {
      this.leave(indent);
      this.put(this.slot(), { kind: "scalar", text: scalarText(this.text.slice(from, to)), from });
    }
    return end + 1;
  }

  /** An empty line ends nothing: what follows it may be deeper than the position. */
  private noteBlank(indent: number, at: number): void {
    const level = this.levels.findLast((each) => each.indent <= indent);
    this.noteWord(level, indent, at, at);
  }

  private noteWord(level: Level | undefined, indent: number, from: number, to: number): void {
    const node = level?.node;
    if (!level || !node) {
      if (this.root === undefined) this.noteStart(undefined, from, to, true);
      return;
    }
    if (node.kind === "list") {
      const slot: OutlineSlot = { of: node, at: level.indent === indent ? node.items.length : node.items.length - 1 };
      const needsDash = level.indent === indent;
      if (needsDash || node.items.at(-1) === undefined)
        this.place = { at: { slot }, ...BLOCK, takesKeys: true, needsDash, from, to };
      return;
    }
    const last = node.entries.length - 1;
    if (level.indent < indent && node.entries[last]?.value === undefined)
      this.place = { at: { slot: { of: node, at: last } }, ...BLOCK, takesKeys: true, from, to };
    else this.place = { at: { map: node, entry: undefined }, ...BLOCK, takesKeys: true, from, to };
  }

  private noteStart(slot: OutlineSlot | undefined, from: number, to: number, takesKeys: boolean): void {
    this.place ??= { at: { slot }, ...BLOCK, takesKeys, from, to };
  }

  /** Reads a value with brackets, on one line or several. Returns where the next line begins. */
  private readFlow(start: number, slot: OutlineSlot | undefined, indent: number): number {
    const outer = this.levels.length === 0 ? -1 : indent;
    const at = new FlowReader(this.text, this.position, this.place !== undefined, outer).read(start, slot, (node) =>
      this.put(slot, node),
    );
    this.place ??= at.place;
    return at.isLineStart ? at.to : this.lineEnd(at.to) + 1;
  }
}

const BLOCK = { takesKeys: false, needsDash: false, isFlow: false } as const;
const FLOW = { takesKeys: false, needsDash: false, isFlow: true } as const;

interface Frame {
  node: OutlineMap | OutlineList;
  /** Whether a value is next, rather than a key. */
  isValue: boolean;
}

/** Reads what is between brackets, which ends early where a line is not indented any more. */
class FlowReader {
  private readonly frames: Frame[] = [];
  private place: OutlinePlace | undefined;

  constructor(
    private readonly text: string,
    private readonly position: number,
    private isFound: boolean,
    private readonly indent: number,
  ) {}

  read(
    start: number,
    slot: OutlineSlot | undefined,
    put: (node: OutlineNode) => void,
  ): { to: number; isLineStart: boolean; place: OutlinePlace | undefined } {
    put(this.open(start, slot));
    let at = start + 1;
    while (at < this.text.length && this.frames.length > 0) {
      if (this.text[at] === "\n" && this.ends(at + 1)) {
        this.noteEmpty(at);
        return { to: at + 1, isLineStart: true, place: this.place };
      }
      at = this.readPart(at);
    }
    this.noteEmpty(this.text.length);
    return { to: at, isLineStart: false, place: this.place };
  }

  /** Reads a word, a bracket, a comment or what is between them. */
  private readPart(at: number): number {
    const character = this.text[at] ?? "";
    if (character === "#" && isGap(this.text[at - 1])) {
      const end = this.text.indexOf("\n", at);
      return end === -1 ? this.text.length : end;
    }
    const isMark = "{}[],:".includes(character);
    if (!isMark && !isGap(character)) return this.word(at);
    this.noteEmpty(at);
    if (isMark) this.take(character, at);
    return at + 1;
  }

  private open(at: number, parent: OutlineSlot | undefined): OutlineNode {
    const node: OutlineMap | OutlineList =
      this.text[at] === "{"
        ? { kind: "map", entries: [], parent, from: at, isFlow: true }
        : { kind: "list", items: [], starts: [], parent, isFlow: true };
    this.frames.push({ node, isValue: false });
    return node;
  }

  /** Whether the bracket was left open: the next text begins no deeper than what holds it. */
  private ends(start: number): boolean {
    if (this.indent < 0) return false;
    let at = start;
    while (isSpace(this.text[at])) at += 1;
    const first = this.text[at];
    if (first === undefined || first === "\n" || first === "\r") return false;
    return at - start <= this.indent && first !== "}" && first !== "]";
  }

  /** A bracket, a comma or a colon. */
  private take(character: string, at: number): void {
    const top = this.frames.at(-1);
    if (!top) return;
    if (character === ":") top.isValue = top.node.kind === "map" && top.node.entries.length > 0;
    else if (character === ",") top.isValue = false;
    else if (character === "}" || character === "]") this.frames.pop();
    else {
      const slot = this.slotOf(top, at);
      const node = this.open(at, slot);
      if (slot) fill(slot, node);
      top.isValue = false;
    }
  }

  /** Where a value goes; for a list, as a new item. Undefined before a colon. */
  private slotOf({ node, isValue }: Frame, at: number): OutlineSlot | undefined {
    if (node.kind === "map") return isValue ? { of: node, at: node.entries.length - 1 } : undefined;
    node.items.push(undefined);
    node.starts.push(at);
    return { of: node, at: node.items.length - 1 };
  }

  private word(from: number): number {
    const first = this.text[from];
    const isQuoted = first === '"' || first === "'";
    const to = isQuoted ? this.quoteEnd(from) : this.plainEnd(from);
    const raw = this.text.slice(from, to);
    const top = this.frames.at(-1);
    if (!top) return to;
    const text = isQuoted ? unquoted(raw) : raw;
    if (top.node.kind === "map" && !top.isValue) {
      top.node.entries.push({ key: text, from, to, isQuoted });
      this.note(from, to, { map: top.node, entry: top.node.entries.length - 1 });
      return to;
    }
    const slot = this.slotOf(top, from);
    if (slot) {
      fill(slot, { kind: "scalar", text, from });
      this.note(from, to, { slot });
    }
    top.isValue = false;
    return to;
  }

  private quoteEnd(from: number): number {
    const quote = this.text[from];
    for (let at = from + 1; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === "\n") return at; // not closed yet
      if (character === "\\" && quote === '"') at += 1;
      else if (character === quote) {
        if (quote === "'" && this.text[at + 1] === "'") at += 1;
        else return at + 1;
      }
    }
    return this.text.length;
  }

  private plainEnd(from: number): number {
    let at = from;
    while (at < this.text.length) {
      const character = this.text[at] ?? "";
      if (character === "\n" || ",[]{}".includes(character)) break;
      if (character === ":" && (isGap(this.text[at + 1]) || ",[]{}".includes(this.text[at + 1] ?? " "))) break;
      if (character === "#" && isSpace(this.text[at - 1])) break;
      at += 1;
    }
    let to = Math.max(at, from + 1);
    while (to > from + 1 && isGap(this.text[to - 1])) to -= 1;
    return to;
  }

  private noteEmpty(at: number): void {
    if (at !== this.position) return;
    const top = this.frames.at(-1);
    if (!top) return;
    const { node, isValue } = top;
    if (node.kind === "list") this.note(at, at, { slot: { of: node, at: node.items.length } });
    else if (isValue) this.note(at, at, { slot: { of: node, at: node.entries.length - 1 } });
    else this.note(at, at, { map: node, entry: undefined });
  }

  private note(from: number, to: number, at: OutlinePlace["at"]): void {
    if (this.isFound || this.position < from || this.position > to) return;
    this.isFound = true;
    this.place = { at, ...FLOW, from, to };
  }
}

function fill(slot: OutlineSlot, node: OutlineNode): void {
  if (slot.of.kind === "list") slot.of.items[slot.at] = node;
  else {
    const entry = slot.of.entries[slot.at];
    if (entry) entry.value = node;
  }
}

const scalarText = (text: string): string => (/^["']/.test(text) ? unquoted(text) : text);

/** What quotes contain, as far as it matters for names: escapes remain. */
function unquoted(text: string): string {
  const quote = text[0];
  const inner = text.slice(1, text.length > 1 && text.endsWith(quote ?? "") ? -1 : undefined);
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll('\\"', '"');
}
