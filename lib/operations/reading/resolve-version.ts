import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import { momentOf, TIME_RULE } from "@/lib/engine/grammar/version-choice";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { VersionNames } from "@/lib/store/datasets/version-names";

/** Where a fault of a request points: `/version_id` of a body, `?version_id` of a query string. */
export type Pointer = `/${string}` | `?${string}`;

type Names = readonly VersionNames[];

/** Maximum number of labels in a rejection's `allowed`, and in its message. */
const LISTED_MAX = 30;
const MESSAGE_LABELS_MAX = 10;
const ECHO_MAX = 64;

/** The ways to name a version: the first in which any version has the name decides. */
const WAYS: readonly ((version: VersionNames, name: string) => boolean)[] = [
  ({ versionId }, name) => isUuid(name) && versionId === name.toLowerCase(),
  ({ label, otherLabels }, name) => label === name || otherLabels.includes(name),
  ({ sequence }, name) => String(sequence) === name,
];

/**
 * THE reader of "which version": a UUID, else an exact label, else a number. Rejects with `not_found` and what exists,
 * or, for a name of versions of several tables, with `invalid_value`.
 */
export function versionNamed(versions: Names, name: string, pointer: Pointer): VersionNames {
  const version = findNamed(versions, name, pointer);
  if (!version) throw unknownVersion(versions, name, pointer);
  return version;
}

/**
 * The same, else the version that was current at a time. Rejects a time before the first version with `not_found`, one
 * in the future with `invalid_value`, anything else with `invalid_request`.
 */
export function versionAsOf(versions: Names, name: string, pointer: Pointer, now: Date): VersionNames {
  return findNamed(versions, name, pointer) ?? versionAt(versions, name, pointer, now);
}

function findNamed(versions: Names, name: string, pointer: Pointer): VersionNames | undefined {
  const [found = []] = WAYS.map((isNamed) => versions.filter((version) => isNamed(version, name))).filter(
    ({ length }) => length > 0,
  );
  if (found.length > 1) throw ambiguousName(found, name, pointer);
  return found[0];
}

/** The last version that had become current by then and was not yet withdrawn. */
function versionAt(versions: Names, asOf: string, pointer: Pointer, now: Date): VersionNames {
  const moment = momentOf(asOf);
  if (!moment) throw noTime(versions, asOf, pointer);
  if (Date.parse(asOf) > now.getTime()) throw futureTime(asOf, pointer);
  const [last] = versions
    .filter(({ withdrawnAt }) => !withdrawnAt || withdrawnAt > moment)
    .flatMap((version) => version.currentFrom.map((from) => ({ version, from })))
    .filter(({ from }) => from <= moment)
    .sort((a, b) => b.from.getTime() - a.from.getTime() || b.version.sequence - a.version.sequence);
  if (!last) throw tooEarly(versions, asOf, moment, pointer);
  return last.version;
}

/** The failure for a name that no version has: what was meant, and what exists. */
export function unknownVersion(versions: Names, name: string, pointer?: Pointer) {
  const meant = isUuid(name) ? undefined : meantLabel(versions, name);
  const labels = labelsOf(versions).slice(0, LISTED_MAX);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const message = `Unknown version: ${name.slice(0, ECHO_MAX)}.${hint} ${existing(versions)}`;
  if (pointer === undefined) return fail("not_found", { message });
  const fault = {
    pointer,
    code: "not_found" as const,
    message,
    ...(labels.length > 0 && { allowed: labels }),
    ...(meant !== undefined && { didYouMean: meant }),
  };
  return fail("not_found", { message, faults: [fault] });
}

const readable = (versions: Names): Names => versions.filter(({ withdrawnAt }) => !withdrawnAt);

const labelsOf = (versions: Names): string[] => [
  ...new Set(readable(versions).flatMap(({ label, otherLabels }) => (label === null ? [] : [label, ...otherLabels]))),
];

/** `Existing versions: 1 to 3, labelled 2024, 1.1 and 1.0.`, for each table of a dataset. */
function existing(versions: Names): string {
  const tables = [...new Set(readable(versions).map(({ tableSlug }) => tableSlug))];
  if (tables.length === 0) return "No version can be read.";
  const each = tables.map((table) => {
    const own = readable(versions).filter(({ tableSlug }) => tableSlug === table);
    return `${tables.length > 1 ? `${table} ` : ""}${numbers(own)}${labels(own)}`;
  });
  return `Existing versions: ${each.join("; ")}.`;
}

function numbers(versions: Names): string {
  const sequences = versions.map(({ sequence }) => sequence);
  const [least, most] = [Math.min(...sequences), Math.max(...sequences)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function labels(versions: Names): string {
  const all = labelsOf(versions);
  const shown = all.slice(0, MESSAGE_LABELS_MAX);
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : "";
  return all.length === 0 ? "" : `, labelled ${shown.join(", ")}${more}`;
}

/** `v1.54` → `1.54.0`: different case, a leading v, the beginning of a label, otherwise one that is spelt similarly. */
function meantLabel(versions: Names, name: string): string | undefined {
  const plain = plainLabel(name);
  const all = labelsOf(versions);
  const same = all.find((label) => plainLabel(label) === plain);
  const begun = all.find((label) => plain !== "" && plainLabel(label).startsWith(plain));
  return same ?? begun ?? didYouMean(name, all);
}

const plainLabel = (label: string): string => label.toLowerCase().replace(/^v(?=\d)/, "");

function ambiguousName(found: Names, name: string, pointer: Pointer) {
  const each = found.map(({ tableSlug, sequence, versionId }) => `${tableSlug} number ${sequence} (${versionId})`);
  const message = `Ambiguous version: ${name} names ${each.join(" and ")}. Send the version_id.`;
  const allowed = found.map(({ versionId }) => versionId);
  return fail("invalid_value", { message, faults: [{ pointer, code: "invalid_value", message, allowed }] });
}

function noTime(versions: Names, name: string, pointer: Pointer) {
  const message = `Neither a version nor a time: ${name.slice(0, ECHO_MAX)}. ${TIME_RULE} ${existing(versions)}`;
  return fail("invalid_request", { message, faults: [{ pointer, code: "invalid_request", message }] });
}

function futureTime(asOf: string, pointer: Pointer) {
  const message = `Time in the future: ${asOf}. Omit as_of for the current version.`;
  return fail("invalid_value", { message, faults: [{ pointer, code: "invalid_value", message }] });
}

function tooEarly(versions: Names, asOf: string, moment: Date, pointer: Pointer) {
  const [first] = versions.map(({ publishedAt }) => publishedAt).sort((a, b) => a.getTime() - b.getTime());
  const why =
    first && first > moment
      ? `the first was published on ${first.toISOString().slice(0, 10)}. Use that day or later.`
      : "all versions until then were withdrawn.";
  const message = `No version as of ${asOf}: ${why}`;
  return fail("not_found", { message, faults: [{ pointer, code: "not_found", message }] });
}
