import { settingDefault } from "@/lib/cli/env-example";
import { type Block, type DocContent, h2, h3, list, name, table, text } from "@/lib/docs/doc";
import { SETTINGS } from "@/lib/kernel/env";

/** Settings by topic; the first match decides. */
const GROUPS: readonly { id: string; title: string; fits: RegExp }[] = [
  { id: "settings-limits", title: "Limits", fits: /^(?:LIMIT|ROWS|BYTES|ARTIFACT)_/ },
  { id: "settings-queries", title: "Query engine", fits: /^(?:QUER|READ_COPIES)/ },
  { id: "settings-people", title: "Email and sign-in", fits: /^(?:SMTP|MAIL|GITHUB|GOOGLE)_/ },
  { id: "settings-plans", title: "Plans", fits: /^STRIPE_/ },
  { id: "settings-service", title: "The service", fits: /^/ },
];

export const selfHosting: DocContent = () => [
  text(
    "The software is open source (Apache-2.0). It needs only npm with Node 20 or newer: `npm ci` installs Node " +
      "24, which runs every script, and an embedded PostgreSQL. All files are under `.data`.",
  ),
  h2("start", "Start"),
  {
    kind: "code",
    label: "In the repository",
    language: "shellscript",
    code: "npm ci && npm start     # builds, serves http://localhost:3000, fills the catalogue",
  },
  text(
    "At the first start the API responds after a few seconds, while the pages are built, which takes half a minute. " +
      "Then the catalogue is filled while it is served: the terminal, the directory and [/status](/status) show the " +
      "progress, and a start after a kill continues from there. Later starts take a few seconds. `npm test` runs " +
      "every check, including the code samples in these docs.",
  ),
  text(
    "All but two of the showcase datasets are built by recipes from the npm packages that come with the service, " +
      "release by release, in their own workspace; browser compatibility and the flights are files that were " +
      "published by hand. Four of them (MIME types, language subtags, Node.js releases, SPDX licences) can be kept " +
      "up to date: set `PACKAGE_REGISTRY` and run `parquetry showcase --refresh on`. They are then read every week " +
      "or day, and new releases become new versions. The others are snapshots; no later release of them is read.",
  ),
  text(
    "In production, `npm ci --omit=dev && npm start` leaves out the showcase data, browsers and test tools; the " +
      "catalogue then starts empty, and the first lines say so. `npm run build` builds ahead of the first start.",
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
    "CSV, TSV, JSON, NDJSON and Parquet files become immutable versions with exact types and profiles. The " +
      "[command line](/docs/command-line) page lists every command.",
  ),
  h2("sources", "Sources for agents"),
  text(
    "Besides your datasets, agents can search the source list of one provider with " +
      "[`catalog_search`](/docs/agents#tools). The list is read from a file; the sources themselves are not " +
      "opened. A new harvest replaces the previous one.",
  ),
  {
    kind: "code",
    label: "Harvest a provider’s list",
    language: "shellscript",
    code: [
      "curl -fsS https://data.example.org/data.json -o data.json",
      'npm run -s parquetry -- sources harvest data.json --provider "City of Example" --homepage ' +
        "https://data.example.org",
      "npm run -s parquetry -- sources show",
    ].join("\n"),
  },
  list(
    "**A Frictionless `datapackage.json`** names its provider; `--base-url` is the base of its relative paths.",
    "**A CKAN `package_search` reply** needs `--provider`, because it does not name one.",
    "**A DCAT `data.json`** needs `--provider` too.",
  ),
  h2("public", "Make it public"),
  list(
    "Put a TLS-terminating proxy in front, set `PARQUETRY_BASE_URL` to the public `https` URL, and list the " +
      "proxy in `PARQUETRY_TRUSTED_PROXIES`.",
    "Use your own PostgreSQL with `DATABASE_URL`; share rate limits between instances with `REDIS_URL`.",
    "Back up with `parquetry backup`, and test a restore now and then.",
    "`/healthz` reports that the process is alive, `/readyz` that the instance takes requests: not while the pages " +
      "are built at a first start, nor once it has been asked to stop. It says nothing about what all instances " +
      "share, so a load balancer takes none out when the database is down or during maintenance, and clients get the " +
      "service’s own 503 with `Retry-After`. For monitors, `/status.json` has the state of each component.",
    "To restart instances one by one, let the load balancer check `/readyz` every second, giving a check five " +
      "seconds (HAProxy: `timeout check 5s`), since a busy instance may be slow but is not down. Then send SIGTERM: " +
      "the instance goes on serving for `SHUTDOWN_DELAY_SECONDS` with readiness 503, then finishes what is running, " +
      "for at most 25 seconds altogether.",
  ),
  h2("settings", "Settings"),
  text("Every setting is an environment variable with a working default."),
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
  return [h3(id, title), table(`Settings: ${title}`, ["Setting", "Default", "Description"], rows)];
}
