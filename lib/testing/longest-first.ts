import { existsSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes more than half a minute when both cores are busy, in part despite a small file. */
const LONGEST: ReadonlySet<string> = new Set([
  "lib/backup/backup.test.ts",
  "lib/backup/object-store.test.ts",
  "lib/builds/checks/examples.test.ts",
  "lib/builds/random-recipes.test.ts",
  "lib/cli/remote/run-commands.test.ts",
  "lib/door/build-lineage.test.ts",
  "lib/door/two-instances.test.ts",
  "lib/engine/run/lookups.test.ts",
  "lib/engine/run/zones.test.ts",
  "lib/mcp/activation.test.ts",
  "lib/mcp/build-datasets.test.ts",
  "lib/mcp/build-partitions.test.ts",
  "lib/mcp/build-releases.test.ts",
  "lib/mcp/build-revisions.test.ts",
  "lib/mcp/decided-versions.test.ts",
  "lib/mcp/inspect-pages.test.ts",
  "lib/operations/refresh/year.test.ts",
  "lib/publish/both-zeros.test.ts",
  "lib/publish/durability.test.ts",
  "lib/readers/both-doors.test.ts",
  "lib/readers/door.test.ts",
  "lib/sandbox/bombs.test.ts",
  "lib/server/broken-views.test.ts",
  "lib/server/package.test.ts",
  "lib/showcase/fill.test.ts",
  "lib/storage/data-folder.test.ts",
  "lib/store/postgres/embedded-postgres.test.ts",
  "lib/store/postgres/postgres-versions.test.ts",
  "lib/store/sources/secret-fingerprint.test.ts",
  "lib/testing/every-parser.test.ts",
  "lib/worker/kills.test.ts",
]);

/** Begins with the longest files of each project, since one that begins last runs while other processors are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = [...LONGEST].filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`Remove from lib/testing/longest-first.ts what no longer exists: ${gone}`);
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.has(relative(process.cwd(), moduleId));
    return [...projects.values()].flatMap((each) => [
      ...each.filter(isLongest),
      ...each.filter((file) => !isLongest(file)),
    ]);
  }
}
