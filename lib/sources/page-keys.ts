import { createHash } from "node:crypto";
import { stringify } from "lossless-json";
import { pointed } from "./pointed";

/** Maximum number of keys remembered, at 16 bytes each. */
const KEYS_MAX = 1_000_000;

/** Detects a record's key on two pages. Keys are kept as digests, so that long ones take no more memory. */
export class PageKeys {
  overlaps = false;
  private readonly before = new Set<string>();
  private readonly pointers: readonly string[] | undefined;

  constructor(pointers: readonly string[] | undefined) {
    this.pointers = pointers;
  }

  /** Adds one page's records. A key that occurs twice on the same page is not reported. */
  add(records: readonly unknown[]): void {
    const { pointers } = this;
    if (pointers === undefined || this.overlaps) return;
    const keys = records.map((record) => digestOf(pointers.map((pointer) => pointed(record, pointer) ?? null)));
    this.overlaps = keys.some((key) => this.before.has(key));
    for (const key of keys) if (this.before.size < KEYS_MAX) this.before.add(key);
  }
}

const digestOf = (key: unknown): string =>
  createHash("sha256")
    .update(stringify(key) ?? "")
    .digest("base64")
    .slice(0, 22);
