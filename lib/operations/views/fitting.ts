import { stringifyExactJson } from "@/lib/formats/exact-json";

/**
 * As many items as fit into so many bytes of JSON, but at least `least`: a reply must remain readable, whatever
 * publishers write.
 */
export function fitting<T>(items: readonly T[], bytes: number, least: number): T[] {
  let room = bytes;
  const fitted = items.findIndex((item) => {
    room -= Buffer.byteLength(stringifyExactJson(item));
    return room < 0;
  });
  return items.slice(0, fitted === -1 ? items.length : Math.max(least, fitted));
}
