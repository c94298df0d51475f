import { settingDefault } from "@/lib/cli/env-example";
import { type Block, type DocContent, h2, h3, list, name, table, text } from "@/lib/docs/doc";
import { SETTINGS } from "@/lib/env";

/** Settings by what they are about; the first that fits decides. */
const GROUPS: readonly { id: string; title: string; fits: RegExp }[] = [
  { id: "settings-limits", title: "Limits", fits: /^(?:LIMIT|ROWS|BYTES|ARTIFACT)_/ },
  { id: "settings-queries", title: "Query engine", fits: /^(?:QUER|READ_COPIES)/ },
  { id: "settings-people", title: "Mail and signing in", fits: /^(?:SMTP|MAIL|GITHUB|GOOGLE)_/ },
  { id: "settings-plans", title: "Plans", fits: /^STRIPE_/ },
  { id: "settings-service", title: "The service", fits: /^/ },
];

export const selfHosting: DocContent = () => [
  text(
    "The software is open: Apache-2.0. It needs npm with Node 20 or newer and nothing else: `npm ci` brings Node 24, " +
      "which runs every script; PostgreSQL runs embedded, files lie under `.data`.",
  ),
  h2("start", "Start"),
  {
    kind: "code",
    label: "In the repository",
    language: "shellscript",
    code: "npm ci && npm start     # builds, fills the catalogue with the showcase data, serves http://localhost:3000",
  },
  text(
    "The first start takes a minute or two, later ones a few seconds. `npm test` runs every check, the code " +
      "samples of these docs among them.",
  ),
  h2("publish", "Publish"),
  {
    kind: "code",
    label: "Publish a file",
    language: "shellscript",
    code: [
      "npm run -s parquetry -- publish measurements.csv.gz --dataset river-levels --table gauges \\",
      '  --title "River levels" --publisher "Example Agency" --license CC-BY-4.0 --topics water,climate',
    ].join("\n"),
  },
  text(
    "CSV, TSV, JSON, NDJSON and Parquet become immutable versions with exact types and profiles. [Command " +
      "line](/docs/command-line) has every command.",
  ),
  h2("sources", "Sources for agents"),
  text(
    "Beside your datasets, agents can search one provider’s own list of what it has, with " +
      "[`catalog_search`](/docs/agents#tools). The list is read from a file; the sources themselves are not " +
      "opened, and a new sweep takes the place of the one before.",
  ),
  {
    kind: "code",
    label: "Sweep a provider’s list",
    language: "shellscript",
    code: [
      "curl -fsS https://data.example.org/data.json -o data.json",
      'npm run -s parquetry -- sources sweep data.json --provider "City of Example" --homepage ' +
        "https://data.example.org",
      "npm run -s parquetry -- sources show",
    ].join("\n"),
  },
  list(
    "**A Frictionless `datapackage.json`** names its provider itself; `--base-url` says what its relative " +
      "paths are resolved against.",
    "**A CKAN `package_search` reply** needs `--provider`: it does not say whose it is.",
    "**A DCAT `data.json`** needs `--provider` too.",
  ),
  h2("public", "Make it public"),
  list(
    "Put a proxy that ends TLS in front, set `PARQUETRY_BASE_URL` to the public `https` address and name the " +
      "proxy in `PARQUETRY_TRUSTED_PROXIES`.",
    "Use a PostgreSQL of your own by `DATABASE_URL`; several instances count their limits together by `REDIS_URL`.",
    "Back up with `parquetry backup`, and try a restore now and then.",
    "`/healthz` says that the process is alive, `/readyz` that database and engine answer.",
  ),
  h2("settings", "Settings"),
  text("Each is an environment variable; all have working defaults."),
  ...GROUPS.flatMap(settingBlocks),
];

function settingBlocks({ id, title }: (typeof GROUPS)[number]): Block[] {
  const rows = (Object.keys(SETTINGS.shape) as (keyof typeof SETTINGS.shape)[])
    .filter((key) => GROUPS.find(({ fits }) => fits.test(key))?.id === id)
    .map((key) => [
      name(key),
      settingDefault(key) === "" ? "–" : name(settingDefault(key)),
      SETTINGS.shape[key].description ?? "",
    ]);
  return [h3(id, title), table(`Settings: ${title}`, ["Setting", "Default", "What it does"], rows)];
}
