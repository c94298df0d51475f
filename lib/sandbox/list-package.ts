import { formatBytes, formatCount, formatPlural } from "@/lib/kernel/format";
import { listTar, type Opening } from "@/lib/readers/containers/opened-source";
import { suggestedTable } from "@/lib/readers/proposals/suggested-table";
import type { SourceFound } from "./events";

const SHOWN_MAX = 50;
const NAMED_MAX = 10;
const NAME_CHARACTERS = 200;
/** What npm puts in front of the names of a package's files. A recipe's `path` does not have it. */
const FOLDER = "package/";
const MANIFEST = "package.json";

/** The files of a package, of which one has to be chosen. */
export async function listPackage(opening: Opening): Promise<SourceFound> {
  const files = ((await listTar(opening)) ?? []).map(({ name, bytes }) => ({
    name: (name.startsWith(FOLDER) ? name.slice(FOLDER.length) : name).slice(0, NAME_CHARACTERS),
    bytes,
  }));
  const ordered = files.toSorted((a, b) => Number(a.name === MANIFEST) - Number(b.name === MANIFEST));
  const shown = ordered.slice(0, SHOWN_MAX);
  const named = shown.slice(0, NAMED_MAX).map(({ name, bytes }) => `${JSON.stringify(name)} (${formatBytes(bytes)})`);
  const more = files.length > named.length ? `, and ${formatCount(files.length - named.length)} more` : "";
  return {
    format: { value: "package", why: `an npm package of ${formatPlural(files.length, "file")}` },
    containers: [{ kind: "tar", members: shown, chosen: null }],
    warnings: [
      `The package has ${formatPlural(files.length, "file")}: ${named.join(", ")}${more}. Inspect one of them with ` +
        "path, or several of the same form with paths.",
    ],
    licenceHints: [],
    ...{ isTried: false, isAll: false, bytes: 0 },
    table: suggestedTable([]),
  };
}
