import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import { momentOf } from "@/lib/engine/grammar/version-choice";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { VersionNames } from "@/lib/store/version-names";

/** Where a fault of a request points: `/version_id` of a body, `?version_id` of a query string. */
export type Pointer = `/${string}` | `?${string}`;

type Names = readonly VersionNames[];

/** Maximum number of labels listed in a rejection. */
const TOLD_MAX = 30;

/**
 * The version that a label or a number names. Rejects with `not_found` and similar names, or, for a name of several
 * versions, with `invalid_value`.
 */
export function versionNamed(versions: Names, name: string, pointer: Pointer): VersionNames {
  const found = versions.filter((version) => isNamed(version, name));
  const [version] = found;
  if (!version) throw unknownName(versions, name, pointer);
  if (found.length > 1) throw ambiguousName(found, name, pointer);
  return version;
}

function isNamed({ label, otherLabels, sequence }: VersionNames, name: string): boolean {
  return label === name || otherLabels.includes(name) || String(sequence) === name;
}

/**
 * The version that was current at a time: the newest that was published by then and not yet withdrawn. Rejects a time
 * before the first version with `not_found`, one in the future with `invalid_value`.
 */
export function versionAsOf(versions: Names, asOf: string, pointer: Pointer, now: Date): VersionNames {
  const moment = momentOf(asOf);
  if (!moment || Date.parse(asOf) > now.getTime()) throw futureTime(asOf, pointer);
  const current = versions
    .filter(({ publishedAt, withdrawnAt }) => publishedAt <= moment && (!withdrawnAt || withdrawnAt > moment))
    .sort((a, b) => b.sequence - a.sequence)[0];
  if (!current) throw tooEarly(versions, asOf, pointer);
  return current;
}

function unknownName(versions: Names, name: string, pointer: Pointer) {
  const meant = isUuid(name) ? undefined : meantLabel(versions, name);
  const labels = labelsOf(versions).slice(0, TOLD_MAX);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const message = `Unknown version: ${name}.${hint}`;
  const fix = "Versions are named by version_id, label or number; list them with list_versions (GET …/versions).";
  const fault = {
    pointer,
    code: "not_found" as const,
    message: `${message} ${fix}`,
    ...(labels.length > 0 && { allowed: labels }),
    ...(meant !== undefined && { didYouMean: meant }),
  };
  return fail("not_found", { message, fix, faults: [fault] });
}

/** Only versions that can still be read. */
const labelsOf = (versions: Names): string[] => [
  ...new Set(
    versions.flatMap(({ label, otherLabels, withdrawnAt }) =>
      withdrawnAt || label === null ? [] : [label, ...otherLabels],
    ),
  ),
];

/** `v1.54` → `1.54.0`: different case, a leading v, the beginning of a label, otherwise one that is spelt similarly. */
function meantLabel(versions: Names, name: string): string | undefined {
  const plain = plainLabel(name);
  const labels = labelsOf(versions);
  const same = labels.find((label) => plainLabel(label) === plain);
  const begun = labels.find((label) => plain !== "" && plainLabel(label).startsWith(plain));
  return same ?? begun ?? didYouMean(name, labels);
}

const plainLabel = (label: string): string => label.toLowerCase().replace(/^v(?=\d)/, "");

function ambiguousName(found: Names, name: string, pointer: Pointer) {
  const each = found.map(({ tableSlug, sequence, versionId }) => `${tableSlug} number ${sequence} (${versionId})`);
  const message = `Ambiguous version: ${name} names ${each.join(" and ")}. Send the version_id.`;
  const allowed = found.map(({ versionId }) => versionId);
  return fail("invalid_value", { message, faults: [{ pointer, code: "invalid_value", message, allowed }] });
}

function futureTime(asOf: string, pointer: Pointer) {
  const message = `Time in the future: ${asOf}. Omit as_of for the current version.`;
  return fail("invalid_value", { message, faults: [{ pointer, code: "invalid_value", message }] });
}

function tooEarly(versions: Names, asOf: string, pointer: Pointer) {
  const first = versions.reduce<Date | undefined>(
    (least, { publishedAt }) => (least && least <= publishedAt ? least : publishedAt),
    undefined,
  );
  const isBefore = first !== undefined && first > (momentOf(asOf) ?? first);
  const day = first?.toISOString().slice(0, 10);
  const why = isBefore
    ? `the first was published on ${day}. Use that day or later.`
    : "all versions until then were withdrawn.";
  const message = `No version as of ${asOf}: ${why}`;
  return fail("not_found", { message, faults: [{ pointer, code: "not_found", message }] });
}
