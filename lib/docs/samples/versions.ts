import { shellWord } from "@/lib/describe/snippet-text";
import { currentAddress, queryAddress, type Sample, tableAddress } from "./sample";

export const VERSION_SAMPLES: readonly Sample[] = [
  {
    id: "history",
    label: "Every version of a table, newest first",
    language: "shellscript",
    outputIs: "json",
    code: (place) => `curl -s ${shellWord(tableAddress(place, "nodejs-releases", "versions"))}`,
    output: `{
  "schema_version": "service-public-table-versions.v1",
  "table": { "id": "…", "name": "Releases", "slug": "releases" },
  "versions": [
    { "version_id": "…", "number": 8, "current": true, "label": "2.0.65", "other_labels": [], \
"content_digest": "sha256:…", "published_at": "…", "rows": 386, "bytes": …, "change": "appended", "notes": null },
    …,
    { "version_id": "…", "number": 1, "current": false, "label": "2.0.56", "other_labels": [], \
"content_digest": "sha256:…", "published_at": "…", "rows": …, "bytes": …, "change": "first", "notes": null }
  ]
}`,
  },
  {
    id: "old-version",
    label: "Rows of the first version and of the current one",
    language: "python",
    output: `378 True
386 True`,
    code: (place) =>
      [
        "import json, urllib.request",
        "",
        "def read(url, body=None):",
        '    request = urllib.request.Request(url, body and json.dumps(body).encode(), {"content-type": ' +
          '"application/json"})',
        "    with urllib.request.urlopen(request) as response:",
        "        return json.load(response)",
        "",
        `versions = read(${JSON.stringify(tableAddress(place, "nodejs-releases", "versions"))})["versions"]`,
        `url = ${JSON.stringify(queryAddress(place, "nodejs-releases"))}`,
        'count = {"columns": [], "aggregates": [{"function": "count", "as": "releases"}]}',
        "",
        "for version in (versions[-1], versions[0]):",
        '    reply = read(url, {**count, "version_id": version["version_id"]})',
        '    print(reply["rows"][0]["releases"], reply["table"]["content_digest"] == version["content_digest"])',
      ].join("\n"),
  },
  {
    id: "changes",
    label: "What the newest version changed, a change per line",
    language: "shellscript",
    needsKey: true,
    output: `{"op":"updated","key":{"version":"27.0.0-alpha.0.1.0"},"row":{…},"changed":["v8"]}
{"op":"inserted","key":{"version":"27.0.0-alpha.0.1.1"},"row":{…},"changed":[]}`,
    code: (place) =>
      [
        `curl -s '${tableAddress(place, "nodejs-releases", "changes")}?since=7&until=8' \\`,
        '  -H "x-api-key: $PARQUETRY_KEY" -H "accept: application/x-ndjson"',
      ].join("\n"),
  },
  {
    id: "verify",
    label: "Check a download",
    language: "shellscript",
    needsKey: true,
    output: "penguins.parquet: OK",
    code: (place) =>
      [
        `curl -sf ${shellWord(currentAddress(place, "palmer-penguins"))} -H "x-api-key: $PARQUETRY_KEY" -D ` +
          "headers.txt -o penguins.parquet",
        "DIGEST=$(tr -d '\\r' < headers.txt | sed -n 's/^x-service-content-digest: sha256://Ip')",
        'echo "$DIGEST  penguins.parquet" | sha256sum --check',
      ].join("\n"),
  },
  {
    id: "unchanged",
    label: "Download only what has changed",
    language: "shellscript",
    needsKey: true,
    output: "200\n304",
    code: (place) =>
      [
        `URL=${shellWord(currentAddress(place, "palmer-penguins"))}`,
        'curl -s "$URL" -H "x-api-key: $PARQUETRY_KEY" --etag-save penguins.etag -o penguins.parquet -w ' +
          '"%{http_code}\\n"',
        'curl -s "$URL" -H "x-api-key: $PARQUETRY_KEY" --etag-compare penguins.etag -o penguins.parquet -w ' +
          '"%{http_code}\\n"',
      ].join("\n"),
  },
  {
    id: "bibtex",
    label: "The citation as BibTeX",
    language: "shellscript",
    output: `@misc{palmer-penguins-…,
  title = {{Palmer Archipelago penguins}},
  author = {{Palmer Station Antarctica LTER}},
  year = {…},
  howpublished = {Parquetry},
  url = {…/datasets/palmer-penguins/versions/…},
  note = {Penguins, version …, sha256:…}
}`,
    code: ({ base }) => `curl -s ${shellWord(`${base}/datasets/palmer-penguins/cite.bib`)}`,
  },
];
