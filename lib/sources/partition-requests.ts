import type { HttpSource } from "@/lib/schemas/recipe-source";
import { dayAfter, dayIn } from "./calendar";
import { datedText, partitionsOf } from "./partitions";
import { type Asked, withSent } from "./send-value";
import { SourceFailure } from "./source-failure";

/** One piece of a source: a file, a slice of a query, or all of it. */
export interface PartitionRequest extends Asked {
  /** The partition as stored and shown; null for a source in one piece. */
  partition: string | null;
}

type Slices = NonNullable<HttpSource["slices"]>;

const PARTITIONS_MAX = 500;

/**
 * The requests for a source, oldest first. `now` is the start of the run, which `to: now` stands for in the recipe's
 * time zone. Throws source_refused if there are none or more than 500.
 */
export function partitionRequests(source: HttpSource, now: Date, zone: string): PartitionRequest[] {
  const found = requestsOf(source, now, zone);
  if (found.length > PARTITIONS_MAX)
    throw refused(source, `more than ${PARTITIONS_MAX} partitions. Start later, or make them longer.`);
  if (found.length === 0) throw refused(source, "no partition yet, as it starts in the future.");
  return found.map(({ url, ...request }) => ({ ...request, url: withQuery(url, source) }));
}

const refused = ({ name }: HttpSource, why: string): SourceFailure =>
  new SourceFailure("source_refused", `Source ${name} has ${why}`);

function requestsOf(source: HttpSource, now: Date, zone: string): PartitionRequest[] {
  const { template, slices, urls, url = "", body } = source;
  if (template) {
    const lag = "lag" in template.partition ? template.partition.lag : undefined;
    const partitions = partitionsOf(template, dayIn(zone, now, lag), PARTITIONS_MAX + 1);
    return partitions.map(({ name, url: address }) => ({ partition: name, url: address, body }));
  }
  if (slices) return slicesOf(slices, dayIn(zone, now, slices.lag)).map((slice) => sliceRequest(slices, slice, source));
  if (urls)
    return urls.map((address, at) => ({ partition: urls.length > 1 ? String(at + 1) : null, url: address, body }));
  return [{ partition: null, url, body }];
}

/** `to` is the day after the last one. */
interface Slice {
  from: string;
  to: string;
}

function slicesOf({ from, to, every }: Slices, today: string): Slice[] {
  const end = dayAfter(to === "now" ? today : to, "P1D", 1);
  const found: Slice[] = [];
  for (let at = 0; found.length <= PARTITIONS_MAX; at += 1) {
    const start = dayAfter(from, every, at);
    if (start >= end) break;
    const next = dayAfter(from, every, at + 1);
    const isLast = next > end;
    found.push({ from: start, to: isLast ? end : next });
  }
  return found;
}

function sliceRequest({ send }: Slices, { from, to }: Slice, { url = "", body }: HttpSource): PartitionRequest {
  const last = send.to_inclusive ? dayAfter(to, "P1D", -1) : to;
  const text = (day: string) => datedText(send.format, new Date(`${day}T00:00:00Z`));
  const begun = withSent({ url, body }, send.from, text(from));
  return { partition: from, ...(send.to ? withSent(begun, send.to, text(last)) : begun) };
}

function withQuery(address: string, { query }: HttpSource): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url.href;
}
