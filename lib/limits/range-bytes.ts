import { processWide } from "@/lib/kernel/process-wide";
import { addToCounter, addUnlessReached } from "./counters";
import { DAY_MS, windowState } from "./window";

/** Counters hold 32 bits: larger files are counted in coarser units. */
const UNITS_MAX = 2 ** 30;

/** One file, read in ranges by one subject. */
export interface RangedFile {
  subject: string;
  versionId: string;
  sizeBytes: number;
}

/**
 * Counts a range of a file in the reader's day. Ranges are free while all of them together are smaller than the file.
 * The range that brings the total to a whole file is charged with `payFile`; if that fails, the count is left as it
 * was. What a charge covers beyond that range is credited to later ones, so parallel ranges are never served for less
 * than their bytes. Charges are made one after another; only when several processes charge at once can one be made in
 * advance, for the day. Returns whether it charged.
 */
export async function takeRangeBytes(
  { subject, versionId, sizeBytes }: RangedFile,
  rangeBytes: number,
  payFile: () => Promise<void>,
  now: Date,
): Promise<boolean> {
  const unit = Math.max(1, Math.ceil(sizeBytes / UNITS_MAX));
  const [size, range] = [Math.ceil(sizeBytes / unit), Math.ceil(rangeBytes / unit)];
  const { startAt } = windowState(0, DAY_MS, now);
  const day = { subject: `${subject}:${versionId}`, name: "range-day", startAt };
  if (await addUnlessReached(day, range, size)) return false;
  return inTurn(day.subject, async () => {
    if (await addUnlessReached(day, range, size)) return false;
    await payFile();
    await addToCounter(day, range - size);
    return true;
  });
}

/** Runs tasks of one name one after another, whether or not earlier ones fail. */
function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turns = processWide("range-payments", () => new Map<string, Promise<unknown>>());
  const turn = (turns.get(name) ?? Promise.resolve()).then(work, work);
  turns.set(name, turn);
  const forget = () => {
    if (turns.get(name) === turn) turns.delete(name);
  };
  turn.then(forget, forget);
  return turn;
}
