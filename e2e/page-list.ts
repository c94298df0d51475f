/** A page for the screenshots, the accessibility tests and the weight measurements. */
export interface ListedPage {
  /** A file name. */
  name: string;
  path: string;
  /** `anyone` may read it; `person` is signed in. */
  reader: "anyone" | "person";
  /** A page for reading: server-rendered, with little script. */
  isReading?: true;
}

/** THE list of pages that need no preparation. The docs list their own. */
export const PAGES: readonly ListedPage[] = [
  { name: "home", path: "/", reader: "anyone", isReading: true },
  { name: "directory", path: "/datasets", reader: "anyone", isReading: true },
  { name: "directory-search", path: "/datasets?q=flight+delay", reader: "anyone", isReading: true },
  { name: "directory-empty", path: "/datasets?q=zzxqvw", reader: "anyone", isReading: true },
  { name: "topic", path: "/topics/time%20series", reader: "anyone", isReading: true },
  { name: "publisher", path: "/publishers/us-geological-survey", reader: "anyone", isReading: true },
  { name: "dataset-flights", path: "/datasets/us-flights-2001", reader: "anyone", isReading: true },
  { name: "dataset-browser-compatibility", path: "/datasets/browser-compatibility", reader: "anyone", isReading: true },
  { name: "dataset-mime-types", path: "/datasets/mime-types", reader: "anyone", isReading: true },
  { name: "versions-mime-types", path: "/datasets/mime-types/versions", reader: "anyone", isReading: true },
  { name: "explorer-flights", path: "/datasets/us-flights-2001/flights", reader: "anyone" },
  { name: "row", path: "/datasets/spdx-licenses/licenses/rows/300", reader: "anyone", isReading: true },
  {
    name: "explorer-grouped",
    path: "/datasets/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&chart=auto::",
    reader: "anyone",
  },
  { name: "explorer-bird-strikes", path: "/datasets/bird-strikes/strikes", reader: "anyone" },
  {
    name: "explorer-map",
    path: "/datasets/earthquakes-2018/events?chart=map:longitude:latitude",
    reader: "anyone",
  },
  {
    name: "explorer-weather",
    path: "/datasets/daily-weather/days?columns=date,temp_max&sort=date&chart=auto::",
    reader: "anyone",
  },
  {
    name: "embed-flights",
    path:
      "/embed/us-flights-2001/flights?group=origin&agg=count::flights&sort=-flights&limit=10" +
      "&chart=bar:origin:flights",
    reader: "anyone",
  },
  { name: "docs", path: "/docs", reader: "anyone", isReading: true },
  { name: "docs-query", path: "/docs/query", reader: "anyone", isReading: true },
  { name: "docs-connect", path: "/docs/connect", reader: "anyone", isReading: true },
  { name: "docs-operation", path: "/docs/api/search-datasets", reader: "anyone", isReading: true },
  { name: "not-found", path: "/no-such-page", reader: "anyone" },
  { name: "status", path: "/status", reader: "anyone" },
  { name: "sign-in", path: "/sign-in", reader: "anyone" },
  { name: "sign-up", path: "/sign-up", reader: "anyone" },
  { name: "device", path: "/device", reader: "person" },
  { name: "settings-access", path: "/settings/access", reader: "person" },
  { name: "settings-secrets", path: "/settings/secrets", reader: "person" },
  { name: "settings-views", path: "/settings/views", reader: "person" },
  { name: "settings-watches", path: "/settings/watches?dataset=mauna-loa-co2", reader: "person" },
  { name: "sql", path: "/sql?t=penguins:palmer-penguins/penguins", reader: "person" },
  { name: "publish-file", path: "/studio/new/publish", reader: "person" },
  { name: "settings-workspace", path: "/settings/workspace", reader: "person" },
  { name: "settings-account", path: "/settings/account", reader: "person" },
];
