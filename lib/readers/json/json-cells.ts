import { COLUMNS_MAX, tooManyColumns } from "@/lib/readers/columns-max";
import { mismatch } from "@/lib/readers/failure";
import type { StagedColumn } from "@/lib/readers/staged-source";
import { type JsonKind, type JsonMember, type JsonValue, shownStart } from "./json-members";

interface Column {
  name: string;
  index: number;
  kinds: Set<JsonKind>;
  items: Set<JsonKind>;
}

/** The columns of a JSON source in order of appearance, with the kinds of their values. */
export class JsonColumns {
  private readonly seen = new Map<string, Column>();
  private readonly folded = new Map<string, string>();
  private readonly inOrder: Column[] = [];
  private readonly isFilled: boolean;
  private narrowest = Number.POSITIVE_INFINITY;

  /** `named` are known before. Records have cells for all columns known so far if `isFilled`. */
  constructor(named: readonly string[], { isFilled = false } = {}) {
    this.isFilled = isFilled;
    for (const name of named) this.column(name, -1);
  }

  names(): readonly string[] {
    return this.inOrder.map(({ name }) => name);
  }

  /** Fails if no record had a member. `rows` is the number of records. */
  refuseNone(rows: number): void {
    if (this.inOrder.length === 0)
      throw mismatch(
        `There are no columns: the records (${rows}) have no members. Check whether the records are at this place, ` +
          "and whether the source has data.",
      );
  }

  /** Whether a record has fewer cells than there are columns. */
  get isRagged(): boolean {
    return this.narrowest < this.inOrder.length;
  }

  /** Takes a record's columns, and the kinds of its values, without its cells. */
  observe(members: readonly JsonMember[]): void {
    refuseWide(members);
    for (const [at, member] of members.entries()) this.observed(member, at);
  }

  /** A record's cells. They end with its last member, since further columns may still appear. */
  cells(members: readonly JsonMember[]): string {
    refuseWide(members);
    const cells: string[] = [];
    for (let at = 0; at < members.length; at += 1) {
      const member = members[at] as JsonMember;
      const { index } = this.observed(member, at);
      if (member.kind !== "null") cells[index] = cellText(member);
    }
    if (this.isFilled) cells.length = this.inOrder.length;
    this.narrowest = Math.min(this.narrowest, cells.length);
    return cells.length === 0 ? "" : `,${cells.join(",")}`;
  }

  staged(): StagedColumn[] {
    return this.inOrder.map(({ name, kinds, items }) => {
      const column = { name, kinds: [...kinds] };
      return items.size > 0 ? { ...column, items: [...items] } : column;
    });
  }

  private observed({ name, kind, items }: JsonMember, at: number): Column {
    const column = this.column(name, at);
    if (kind === "null") return column;
    column.kinds.add(kind);
    if (items) for (const item of items) column.items.add(item);
    return column;
  }

  /** Most records have their members in the order of the columns. */
  private column(name: string, at: number): Column {
    const likely = this.inOrder[at];
    const known = likely?.name === name ? likely : this.seen.get(name);
    if (known) return known;
    const similar = this.folded.get(name.toLowerCase());
    if (similar !== undefined)
      throw mismatch(
        `The keys ${JSON.stringify(shownStart(similar))} and ${JSON.stringify(shownStart(name))} differ only in ` +
          "case, as names of columns may not. Rename one of them; a recipe's reader can name columns with `fields`.",
      );
    if (name === "" || name.includes("\0"))
      throw mismatch(
        `The key ${JSON.stringify(shownStart(name))} ${name === "" ? "is empty" : "contains the character NUL"}, ` +
          "which no name of a column may. Correct the source; a recipe's reader can name members with `fields`.",
      );
    if (this.inOrder.length >= COLUMNS_MAX)
      throw mismatch(
        `The records have more than ${COLUMNS_MAX} different members, which a table may have as columns. Keys that ` +
          "are data belong into a member of their own. A recipe's reader can choose members with `fields`.",
      );
    const column = {
      name: copied(name),
      index: this.inOrder.length,
      kinds: new Set<JsonKind>(),
      items: new Set<JsonKind>(),
    };
    this.seen.set(column.name, column);
    this.folded.set(column.name.toLowerCase(), column.name);
    this.inOrder.push(column);
    return column;
  }
}

function refuseWide(members: readonly JsonMember[]): void {
  if (members.length > COLUMNS_MAX) throw tooManyColumns("A record", members.length);
}

/** A slice of a string keeps the whole of it in memory. */
const copied = (name: string): string => Buffer.from(name).toString();

function cellText({ kind, text }: JsonValue): string {
  if (kind === "number" || kind === "boolean") return text;
  const marked = kind === "string" ? `s${text}` : text;
  return `"${marked.includes('"') ? marked.replaceAll('"', '""') : marked}"`;
}
