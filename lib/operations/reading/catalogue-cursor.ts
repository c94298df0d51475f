import { timingSafeEqual } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import { keyedHash } from "@/lib/storage/secret";

export interface CataloguePosition {
  rank: string;
  id: string;
}

/** An opaque, signed position in one catalogue listing; `listing` identifies the search that it belongs to. */
export function writeCatalogueCursor(position: CataloguePosition, listing: string): string {
  const body = Buffer.from(JSON.stringify([position.rank, position.id])).toString("base64url");
  return `${body}.${sign(body, listing)}`;
}

/** Fails with invalid_cursor for a cursor of another listing. */
export function readCatalogueCursor(text: string, listing: string): CataloguePosition {
  const [body = "", signature = ""] = text.split(".");
  if (!isSame(signature, sign(body, listing))) {
    throw fail("invalid_cursor", {
      faults: [
        {
          pointer: "?cursor",
          code: "invalid_cursor",
          message: "Send next_cursor from the previous response with the same search.",
        },
      ],
    });
  }
  const [rank, id] = JSON.parse(Buffer.from(body, "base64url").toString()) as [string, string];
  return { rank, id };
}

const sign = (body: string, listing: string) => keyedHash("cursors", `catalogue\n${listing}\n${body}`).slice(0, 32);

/** Constant time, so that timing does not reveal how much of a forged signature was right. */
function isSame(actual: string, right: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
