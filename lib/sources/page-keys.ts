import { createHash } from "node:crypto";
import { stringify } from "lossless-json";
import { pointed } from "./pointed";

/** Beyond it no more keys are remembered: 16 bytes each. */
const KEYS_MAX = 1_000_000;

/** Tells whether a record's key stands on two pages. Keys are kept as digests, so that long ones cost no memory. */
export class PageKeys {
  overlaps = false;
  private readonly before = new Set<string>();
  private readonly pointers: readonly string[] | undefined;

  constructor(pointers: readonly string[] | undefined) {
    this.pointers = pointers;
  }

  /** One page's records: a key that is twice on one page is the source's own matter. */
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
