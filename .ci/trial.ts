// `npm run trial -- NAME`: tests that take too long for every run. The ordinary tests contain a few cases of each.
import { spawnSync } from "node:child_process";

interface Trial {
  about: string;
  command: readonly string[];
  variables: Readonly<Record<string, string>>;
}

/** With an hour per test, which is effectively no time limit. */
const unit = (...files: string[]) => [
  "vitest",
  "run",
  "--config",
  "lib/vitest.config.ts",
  "--testTimeout=3600000",
  ...files,
];
const browser = (...files: string[]) => ["playwright", "test", "--config", "e2e/playwright.config.ts", ...files];
const seed = process.env.PROPERTY_SEED ?? String(Math.floor(Math.random() * 1e9));
const random = (runs: number) => ({ PROPERTY_RUNS: String(runs), PROPERTY_SEED: seed });

const TRIALS: Readonly<Record<string, Trial>> = {
  queries: {
    about:
      "2,000 random queries and comparisons against an independent evaluator; 10 queries of 2,000 random tables over " +
      "REST and the connector",
    command: unit("lib/engine", "lib/mcp/same-values.test.ts"),
    variables: random(2000),
  },
  zones: {
    about: "the offsets of every time zone, day by day",
    command: unit("lib/engine/run/zones.test.ts"),
    variables: { ZONES: "1000" },
  },
  bands: {
    about: "100,000 random floats in bands of 200 random widths: each band has the rows that its filter selects",
    command: unit("lib/engine/run/bands.test.ts"),
    variables: { BAND_FLOATS: "100000", BAND_WIDTHS: "200", PROPERTY_SEED: seed },
  },
  recipes: {
    about: "500 random recipes over random cells against an independent evaluator, with its coverage",
    command: unit("lib/builds/random-recipes.test.ts"),
    variables: random(500),
  },
  values: {
    about:
      "500 random values of every type through each format and back; 500 tables of random text cells through " +
      "inspections, the runs of their proposals, and publishing",
    command: unit("lib/formats", "lib/publish/sealed.test.ts", "lib/readers/proposals/text-cells.test.ts"),
    variables: random(500),
  },
  sync: {
    about: "copies in SQLite and DuckDB whose clients are killed at 50 random moments each",
    command: unit("lib/server/sync.test.ts"),
    variables: { SYNC_KILLS: "50", PROPERTY_SEED: seed },
  },
  "view-watches": {
    about: "workers killed at 50 random moments while they look at watched views and tell of changes: each told once",
    command: unit("lib/worker/watches/view-kills.test.ts"),
    variables: { VIEW_KILLS: "50", PROPERTY_SEED: seed },
  },
  kills: {
    about:
      "60 publishings, and runs whose worker, sandbox and database are killed at 20 moments each; three users of the " +
      "embedded database that come and go 100 times each",
    command: unit(
      "lib/publish/durability.test.ts",
      "lib/worker/kills.test.ts",
      "lib/store/postgres/embedded-postgres.test.ts",
    ),
    variables: { KILLS: "60", BUILD_KILLS: "20", SERVER_TURNS: "100" },
  },
  publishings: {
    about:
      "500 publishings into an object store whose process is killed at a random moment: each version has its bytes, " +
      "and there are no others once doctor has run",
    command: unit("lib/publish/killed-publishings.test.ts"),
    variables: { PUBLISHINGS: "500", PROPERTY_SEED: seed },
  },
  "full-disk": {
    about: "publishing, an upload, an inspection, a run and queries while files or database have no space; needs root",
    command: unit("lib/worker/full-disk.test.ts", "lib/worker/full-disk-database.test.ts"),
    variables: { FULL_DISK: "1" },
  },
  "big-csv": {
    about: "10,000,000 rows of a CSV file of 1.1 GiB: times of sample and full run, memory, queries at the same time",
    command: unit("lib/worker/big-csv.test.ts"),
    variables: { BIG_CSV_ROWS: "10000000" },
  },
  states: {
    about: "100,000 random events by random callers on datasets: nothing is shown that no allowed caller made so",
    command: unit("lib/operations/datasets/dataset-states.property.test.ts"),
    variables: { STATE_EVENTS: "100000", PROPERTY_SEED: seed },
  },
  workers: {
    about: "200 runs of 20 workspaces and two workers: caps, fairness, and the end of every run",
    command: unit("lib/worker/worker.test.ts"),
    variables: { QUEUED_RUNS: "200" },
  },
  year: {
    about:
      "400 simulated days of schedules in five zones: every verdict as worked out by hand, at most one run a sleep",
    command: unit("lib/operations/refresh/year.test.ts"),
    variables: { YEAR_DAYS: "400" },
  },
  showcase: {
    about: "every showcase dataset that a recipe builds, against the same releases published by hand, row by row",
    command: unit("lib/worker/replay-rows.test.ts"),
    variables: { SHOWCASE_RECIPES: "100" },
  },
  sequences: {
    about: "the real versions of the showcase's packages, read every week and day: windows, back-tests, verdicts",
    command: unit("lib/showcase/sequences.test.ts"),
    variables: { SEQUENCES: "100" },
  },
  refreshes: {
    about: "1,000 refreshes of 50 datasets whose sources fail at random: what is served, and whether counts add up",
    command: unit("lib/worker/refreshes.test.ts"),
    variables: { REFRESHES: "1000", PROPERTY_SEED: seed },
  },
  corpus: {
    about: "every file at the door (lib/testing/door-files), whose values were worked out by hand, at both doors",
    command: unit("lib/readers/both-doors.test.ts"),
    variables: { CORPUS_EVERY: "1" },
  },
  door: {
    about:
      "20,000 made files of known tables through publishing and recipes, each also read by Python's csv and others",
    command: unit("lib/readers/door.test.ts"),
    variables: { DOOR_RUNS: "20000", PROPERTY_SEED: seed },
  },
  "damaged-files": {
    about: "10,000 files with bits flipped, cut and spliced through publishing and recipes: no defect, only words",
    command: unit("lib/readers/damaged-files.test.ts"),
    variables: { DAMAGED_FILES: "10000", PROPERTY_SEED: seed },
  },
  law: {
    about: "5,000 made files under random options: cells in are cells out, header cells and cells left out by cause",
    command: unit("lib/readers/law-of-the-door.test.ts"),
    variables: { LAW_FILES: "5000", PROPERTY_SEED: seed },
  },
  "whole-views": {
    about: "3,000,000 rows of a filtered and of a sorted view as CSV and Parquet: flat memory, counted once; cut files",
    command: unit("lib/server/whole-views.test.ts"),
    variables: { VIEW_ROWS: "3000000" },
  },
  pages: {
    about: "all 3,000,000 flights, page by page, each exactly once",
    command: browser("pagination.spec.ts"),
    variables: { ROWS: "all" },
  },
  "every-page": {
    about: "every page in both themes: accessible, targets large enough, no sideways scrolling at 320 pixels",
    command: browser("every-page.spec.ts"),
    variables: { EVERY_PAGE: "1" },
  },
  "rolling-restart": {
    about: "two instances on one data folder restarted one by one behind HAProxy under 5,000 requests: none is lost",
    command: unit("lib/server/rolling-restart.test.ts"),
    variables: { ROLLING_REQUESTS: "5000" },
  },
  release: {
    about:
      "two instances behind HAProxy move from an earlier release (RELEASE_FROM, a commit; by default the newest tag) " +
      "to this one, back and forward again under 2,000 requests at each step: none fails",
    command: unit("lib/server/rolling-release.test.ts"),
    variables: { RELEASE_REQUESTS: "2000" },
  },
  cluster: {
    about:
      "two instances, a worker, PostgreSQL 15, Redis and SeaweedFS behind HAProxy: one service; 10,000 requests " +
      "during restarts, ten minutes of kills (CLUSTER_KILL_SECONDS), and an outage of each part",
    // one after the other: the first start builds the pages
    command: unit("--no-file-parallelism", "lib/door/cluster.test.ts", "lib/server/cluster-failures.test.ts"),
    variables: { CLUSTER_REQUESTS: "10000", CLUSTER_KILL_SECONDS: "600" },
  },
  image: {
    about:
      "the steps of deploy/Dockerfile in an empty folder, without Docker: another user than root starts the service",
    command: unit(".ci/image.test.ts"),
    variables: { IMAGE_STEPS: "1" },
  },
  paths: {
    about:
      "every task of a journalist, a researcher, an engineer and an owner, by mouse, finger, keyboard and without " +
      "script: steps, times and screenshots in PATHS_DIR",
    command: browser("paths.spec.ts", "--workers=1"),
    variables: { PATHS_DIR: ".build/paths" },
  },
  "everyday-paths": {
    about: "the four everyday paths by mouse, finger and keyboard, on a desktop and on a phone",
    command: browser("everyday-paths.spec.ts"),
    variables: { EVERY_HANDS: "1" },
  },
  rejections: {
    about: "how long rejections take, in the median of 200 interleaved samples: unknown, private, withdrawn",
    command: browser("rejections.spec.ts"),
    variables: { REJECTION_SAMPLES: "200" },
  },
};

const [name = ""] = process.argv.slice(2);
const trial = TRIALS[name];
if (trial) {
  const variables = Object.entries(trial.variables).map(([key, value]) => [key, process.env[key] ?? value] as const);
  process.stdout.write(`${name}: ${variables.map((pair) => pair.join("=")).join(" ")}\n`);
  const env = { ...process.env, UV_THREADPOOL_SIZE: "32", ...Object.fromEntries(variables) };
  process.exit(spawnSync("npx", trial.command, { stdio: "inherit", env }).status ?? 1);
}
const list = Object.entries(TRIALS).map(([key, { about }]) => `  ${key.padEnd(15)}${about}\n`);
process.stdout.write(`${name === "" ? "" : `Unknown trial: ${name}. `}Trials:\n${list.join("")}`);
process.exit(name === "" ? 0 : 1);
