import type { Sample, SamplePlace } from "./sample";

/** The file that the tutorial builds from, as its office prints it. */
export const LEVELS = `Gauge;Level;Day
Northbridge;"1.234,5";31.10.2026
Southmill;"87,25";31.10.2026
Total;"1.321,75";31.10.2026
`;

const sourceOf = ({ source = "https://data.example.org" }: SamplePlace): string => `${source}/levels.csv`;

const levelsRecipe = (place: SamplePlace): string => `schema_version: service-recipe.v1
sources:
  - name: office
    kind: http
    url: ${sourceOf(place)}
    license: CC-BY-4.0
    reader: {format: csv, options: {delimiter: ";"}}
tables:
  - name: levels
    title: River levels
    from: office
    steps:
      - {step: rename, columns: {Gauge: gauge, Level: level, Day: day}}
      - {step: filter, filters: [{column: gauge, operator: neq, value: Total}]}
      - {step: parse, columns: [level], as: float64, number: {decimal: ",", thousands: ["."]}}
      - {step: parse, columns: [day], as: date, date: {formats: ["%d.%m.%Y"]}}
    columns:
      - {name: gauge, type: string, nullable: false, description: Name of the gauge.}
      - {name: level, type: float64, unit: cm, description: Above the gauge's zero.}
      - {name: day, type: date, nullable: false}
    primary_key: [gauge, day]
    checks:
      - {check: row_count, min: 1}
      - {check: range, column: level, min: 0, max: 2000}
publish:
  license: CC-BY-4.0
  topics: [water]
  publisher: {name: River Office of the tutorial}
`;

const file = (session: Sample["session"] & string): Sample => ({
  id: `build-recipe-${session.replace(" ", "-")}`,
  label: "The recipe, in a file",
  language: "shellscript",
  session,
  code: (place) => `cat > recipe.yaml <<'END'\n${levelsRecipe(place)}END`,
});

const commandLine = (id: string, label: string, code: string, output?: string): Sample => ({
  id: `build-${id}`,
  label,
  language: "shellscript",
  session: "command line",
  code: () => code,
  ...(output !== undefined && { output }),
});

export const BY_COMMAND_LINE: readonly Sample[] = [
  file("command line"),
  commandLine(
    "check",
    "All faults of the recipe at once, before anything is sent",
    "parquetry recipe check recipe.yaml",
    "levels: gauge, level, day and what the source has\n…\nNo faults, as far as it can be checked here.",
  ),
  commandLine(
    "new",
    "A dataset, private to your workspace",
    'DATASET=$(parquetry build new "River levels")\necho "$DATASET"',
    "river-levels…",
  ),
  commandLine(
    "push",
    "Its first revision, and a planned run",
    `RUN=$(parquetry recipe push "$DATASET" recipe.yaml --start --json |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["run"]["run_id"])')
echo "$RUN"`,
    "…-…-…-…-…",
  ),
  commandLine(
    "confirm",
    "A sample: what was read, what it made, what was checked",
    'parquetry build confirm "$RUN"\nparquetry build watch "$RUN"',
    `Run … of river-levels…, revision 1: …
…source_read… office: 200, … bytes…
…check_done… levels: range passed: "level" is at least 0 and at most 2000.
…sample_ready…sha256:…levels: 2 rows; 0 rejected cells
Run … of river-levels…, revision 1: awaiting approval
levels, step 2 (filter): 3 rows to 2 (leaves out 1 of 3 rows, which the condition excludes)
levels: 2 rows, 3 columns
… hold.
Next: parquetry build rows … levels prints its first rows, parquetry build approve … approves it.`,
  ),
  commandLine(
    "rows",
    "Its first rows",
    'parquetry build rows "$RUN" levels',
    `gauge        level   day
Northbridge  1234.5  2026-10-31
Southmill    87.25   2026-10-31`,
  ),
  commandLine(
    "approve",
    "The full run; what it seals becomes current for your workspace’s use keys",
    'parquetry build approve "$RUN" --then private\nparquetry build watch "$RUN"',
    "Run …sealed… levels: first, 2 rows…promoted…\nRun … of river-levels…, revision 1: sealed\n…",
  ),
  commandLine(
    "query",
    "A query, with its citation",
    `parquetry call query_table "{\\"table_id\\": \\"$DATASET/levels\\", \\"columns\\": [\\"gauge\\", \\"level\\"]}"`,
    '…["Northbridge",1234.5]…["Southmill",87.25]…sha256:…',
  ),
];

const curl = (id: string, label: string, code: string, output?: string): Sample => ({
  id: `build-curl-${id}`,
  label,
  language: "shellscript",
  session: "curl",
  code: (place) => code.replaceAll("BASE", place.base),
  ...(output !== undefined && { output }),
});

export const BY_CURL: readonly Sample[] = [
  file("curl"),
  curl(
    "functions",
    "Two functions: one calls a tool, one takes a member of its reply",
    `ask() {
  curl -s BASE/api/mcp -H "authorization: Bearer $PARQUETRY_TOKEN" -H 'content-type: application/json' \\
    -H 'accept: application/json, text/event-stream' \\
    -d "{\\"jsonrpc\\": \\"2.0\\", \\"id\\": 1, \\"method\\": \\"tools/call\\",
         \\"params\\": {\\"name\\": \\"$1\\", \\"arguments\\": $2}}"
}
member() { python3 -c "import json, sys; print(json.load(sys.stdin)['result']['structuredContent']$1)"; }`,
  ),
  curl(
    "create",
    "A dataset",
    `DATASET=$(ask create_dataset '{"title": "River levels"}' | member "['dataset']['slug']")
echo "$DATASET"`,
    "river-levels…",
  ),
  curl(
    "register",
    "The recipe, and a planned run",
    `RECIPE=$(python3 -c 'import json; print(json.dumps(open("recipe.yaml").read()))')
RUN=$(ask register_recipe "{\\"dataset\\":\\"$DATASET\\",\\"recipe\\":$RECIPE,\\"start\\":true}" |
  member "['run']['run_id']")
echo "$RUN"`,
    "…-…-…-…-…",
  ),
  curl(
    "confirm",
    "A sample; its digest shows that you read it",
    `ask confirm_run "{\\"run_id\\":\\"$RUN\\"}" > sample.json
until ask get_run "{\\"run_id\\":\\"$RUN\\",\\"known_state\\":\\"running\\",\\"wait_ms\\":20000}" > sample.json &&
  [ "$(member "['state']" < sample.json)" = awaiting_approval ]; do :; done
DIGEST=$(member "['result']['recipe_digest']" < sample.json)
member "['result']['tables']" < sample.json`,
    "[{…'table': 'levels'…}]",
  ),
  curl(
    "approve",
    "The full run",
    `ask approve_full_run "{\\"run_id\\":\\"$RUN\\",\\"recipe_digest\\":\\"$DIGEST\\"}" > run.json
until ask get_run "{\\"run_id\\":\\"$RUN\\",\\"known_state\\":\\"running_full\\",\\"wait_ms\\":20000}" > run.json &&
  [ "$(member "['state']" < run.json)" = sealed ]; do :; done
member "['outcome']" < run.json`,
    "released",
  ),
  curl(
    "promote",
    "Made current, and read",
    `ask promote_table "{\\"dataset\\":\\"$DATASET\\"}" | member "['receipts'][0]['visibility']"
ask query_table "{\\"table_id\\":\\"$DATASET/levels\\",\\"columns\\":[\\"gauge\\",\\"level\\"]}" | member "['rows']"`,
    "private\n[['Northbridge', 1234.5], ['Southmill', 87.25]]",
  ),
];
