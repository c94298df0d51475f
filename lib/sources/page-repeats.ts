import { stringify } from "lossless-json";
import { sha256Hex } from "@/lib/kernel/sha256";
import { SourceFailure } from "./source-failure";

/** Detects a page with the records of an earlier page, not only of the one before it. */
export class PageRepeats {
  private readonly pages = new Map<string, number>();

  /** Throws pages_repeat. Empty pages are alike. */
  add(number: number, records: readonly unknown[]): void {
    if (records.length === 0) return;
    const digest = sha256Hex(stringify(records) ?? "");
    const before = this.pages.get(digest);
    if (before !== undefined)
      throw new SourceFailure(
        "pages_repeat",
        `Page ${number} has the same ${records.length === 1 ? "record" : "records"} as page ${before}. Check the ` +
          "names and values of the parameters in pages: the source may ignore them.",
      );
    this.pages.set(digest, number);
  }
}
