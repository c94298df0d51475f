import { expect, test } from "vitest";
import { buildFrom } from "@/lib/testing/build-fixture";

const MEDIA_TYPES = `
schema_version: service-recipe.v1
sources:
  - name: mime_db
    kind: package
    registry: npm
    package: mime-db
    path: db.json
    reader: {format: json, options: {records: "", shape: map, key_column: type}}
tables:
  - name: types
    from: mime_db
    steps:
      - {step: extract, column: type, pattern: '^([^/]+)/(.+)$', into: {family: 1, subtype: 2}, required: true}
      - step: derive
        columns:
          is_registered: {fn: eq, args: [{col: source}, iana]}
          is_text: {fn: or, args: [{fn: eq, args: [{col: family}, text]}, {fn: ends_with, args: [{col: subtype}, +xml]}]}
    columns:
      - {name: type, type: string}
      - {name: family, type: string}
      - {name: subtype, type: string}
      - {name: source, type: string}
      - {name: is_registered, type: boolean}
      - {name: compressible, type: boolean}
      - {name: extensions, type: "list<string>"}
      - {name: is_text, type: boolean}
    primary_key: [type]
    order_by: [type]
    contract: evolve
    checks:
      - {check: accepted_values, column: source, values: [iana, apache, nginx]}
  - name: extensions
    from: types
    steps:
      - {step: select, columns: [extensions, type, is_registered]}
      - {step: unnest, column: extensions, as: extension, position: rank, empty: drop}
    columns:
      - {name: extension, type: string}
      - {name: type, type: string}
      - {name: rank, type: int16}
      - {name: is_registered, type: boolean}
    primary_key: [extension, type]
    order_by: [extension, type]
    checks:
      - {check: references, columns: [type], to: {table: types, columns: [type]}}
      - {check: pattern, column: extension, pattern: '^[0-9a-z][0-9a-z+._-]*$'}
publish: {license: MIT, publisher: {name: jshttp}}
`;

test("a map of objects becomes two tables, the second derived from the first", async () => {
  const objects = [
    `{"type":"text/html","source":"iana","compressible":true,"extensions":["html","htm"]}`,
    `{"type":"application/atom+xml","source":"iana","extensions":["atom"]}`,
    `{"type":"audio/x-odd","source":null}`,
  ];
  const { outcome, rows } = await buildFrom(MEDIA_TYPES, { mime_db: { objects } });
  expect(outcome.failure).toBeNull();
  expect(rows.types).toEqual([
    ["application/atom+xml", "application", "atom+xml", "iana", "true", null, "[atom]", "true"],
    ["audio/x-odd", "audio", "x-odd", null, null, null, null, "false"],
    ["text/html", "text", "html", "iana", "true", "true", "[html, htm]", "true"],
  ]);
  expect(rows.extensions).toEqual([
    ["atom", "application/atom+xml", "1", "true"],
    ["htm", "text/html", "2", "true"],
    ["html", "text/html", "1", "true"],
  ]);
  expect(outcome.checks.filter(({ outcome: result }) => result === "failed")).toEqual([]);
});

const OFFICE = `
schema_version: service-recipe.v1
sources:
  - {name: office, kind: http, url: "https://statistik.example.org/a.csv", reader: {format: csv, options: {delimiter: ";"}}}
tables:
  - name: unemployed
    slug: unemployed-by-municipality
    from: office
    steps:
      - {step: rename, columns: {Gemeinde: municipality, Kreis: district}}
      - {step: trim, collapse: true}
      - {step: fill, columns: [district], direction: down}
      - step: filter
        keep: other
        where:
          fn: or
          args:
            - {fn: eq, args: [{col: municipality}, Zusammen]}
            - {fn: starts_with, args: [{col: municipality}, Insgesamt]}
      - step: unpivot
        columns: {except: [municipality, district]}
        values_to: printed
        names: {pattern: '^(\\d{4}) \\| (.+)$', into: {year: 1, sex: 2}}
      - {step: map, column: sex, values: {Männer: male, Frauen: female}, otherwise: error}
      - step: derive
        columns:
          provisional: {fn: matches, args: [{col: printed}, 'p$']}
          uncertain: {fn: matches, args: [{col: printed}, '^\\(.*\\)$']}
      - {step: replace, columns: [printed], kind: pattern, find: '\\s*p$|^\\(|\\)$', with: ""}
      - {step: parse, columns: [printed], as: int32, number: {thousands: [" ", "."]}, on_error: "null"}
      - {step: parse, columns: [year], as: int16}
      - {step: rename, columns: {printed: unemployed}}
    columns:
      - {name: district, type: string, nullable: false}
      - {name: municipality, type: string, nullable: false}
      - {name: year, type: int16, nullable: false}
      - {name: sex, type: string, nullable: false}
      - {name: unemployed, type: int32, unit: persons}
      - {name: provisional, type: boolean}
      - {name: uncertain, type: boolean}
    primary_key: [municipality, district, year, sex]
    order_by: [district, municipality, year, sex]
    tolerance: {cells: 3}
    checks:
      - {check: accepted_values, column: sex, values: [male, female]}
      - {check: range, column: unemployed, min: 0, max: 2000000}
      - {check: null_share, column: unemployed, max: 15%}
      - {check: complete_series, column: year, every: P1Y, within: [municipality], severity: warn}
      - {check: keeps_rows, severity: warn}
publish: {license: DL-DE-BY-2.0, publisher: {name: Statistisches Amt}}
`;

test("an office's wide table with subtotals, marks and merged headers becomes long and typed", async () => {
  const columns = ["Gemeinde", "Kreis", "2025 | Männer", "2025 | Frauen", "2026 | Männer", "2026 | Frauen"];
  const cells = [
    ["Musterstadt", "Nordkreis", "1 234", "1 101", "1.250 p", "1 090 p"],
    ["Beispielheim", null, "987", null, "(12)", null],
    ["Zusammen", null, "2 221", "1 101", "1.262", "1 090"],
    ["Probedorf", "Südkreis", "45", "51", "44 p", "49 p"],
  ];
  const { outcome, rows } = await buildFrom(OFFICE, { office: { columns, rows: cells } });
  expect(outcome.failure).toBeNull();
  expect(rows.unemployed).toEqual([
    ["Nordkreis", "Beispielheim", "2025", "male", "987", "false", "false"],
    ["Nordkreis", "Beispielheim", "2026", "male", "12", "false", "true"],
    ["Nordkreis", "Musterstadt", "2025", "female", "1101", "false", "false"],
    ["Nordkreis", "Musterstadt", "2025", "male", "1234", "false", "false"],
    ["Nordkreis", "Musterstadt", "2026", "female", "1090", "true", "false"],
    ["Nordkreis", "Musterstadt", "2026", "male", "1250", "true", "false"],
    ["Südkreis", "Probedorf", "2025", "female", "51", "false", "false"],
    ["Südkreis", "Probedorf", "2025", "male", "45", "false", "false"],
    ["Südkreis", "Probedorf", "2026", "female", "49", "true", "false"],
    ["Südkreis", "Probedorf", "2026", "male", "44", "true", "false"],
  ]);
  expect(outcome.lock?.sets["/tables/0/steps/4/columns"]).toEqual(columns.slice(2));
});

const AIR = `
schema_version: service-recipe.v1
sources:
  - {name: readings, kind: upload, upload: readings, reader: {format: ndjson}}
  - {name: stations, kind: upload, upload: stations, reader: {format: ndjson}}
tables:
  - name: station_list
    internal: true
    from: stations
    steps:
      - {step: flatten, column: at, fields: {lat: {at: /lat, type: float64}, country: {at: /country, type: string}}}
      - {step: dedupe, keys: [code], keep: last}
  - name: daily
    from: readings
    steps:
      - {step: dedupe, keys: [id], keep: last}
      - {step: filter, filters: [{column: unit, operator: in, value: [µg/m³, ug/m3]}, {column: value, operator: gte, value: 0}]}
      - step: parse
        columns: [at]
        as: timestamp
        date: {formats: ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S.%fZ"]}
      - {step: cast, columns: {value: "decimal(9,3)"}, on_error: drop_row}
      - {step: derive, columns: {day: {fn: to_date, args: [{col: at}, Europe/Lisbon]}}}
      - step: aggregate
        group_by: [station, day]
        aggregates:
          - {function: count, as: readings}
          - {function: avg, column: value, as: pm25_mean}
          - {function: max, column: value, as: pm25_max}
          - {function: last, column: unit, as: unit}
      - step: join
        with: station_list
        on: [{left: station, right: code}]
        take: {name: station_name, country: country, lat: latitude}
        unmatched: 1
      - {step: derive, columns: {pm25_mean: {fn: round, args: [{col: pm25_mean}, 2]}}}
    columns:
      - {name: day, type: date, nullable: false}
      - {name: station, type: string, nullable: false}
      - {name: station_name, type: string}
      - {name: country, type: string}
      - {name: latitude, type: float64}
      - {name: pm25_mean, type: float64}
      - {name: pm25_max, type: "decimal(9,3)"}
      - {name: readings, type: int64}
    only: true
    primary_key: [station, day]
    time_column: day
    order_by: [station, day]
    tolerance: {rows: 20%}
    checks:
      - {check: range, column: pm25_mean, min: 0, max: 1500}
      - {check: freshness_of_column, column: day, max_age: P4D, severity: warn}
publish: {license: CC-BY-4.0, publisher: {name: Air Example}}
`;

test("records of an API are cleaned, grouped by local day and joined to their stations", async () => {
  const reading = (id: number, station: string, at: string, value: string, unit = "ug/m3") =>
    `{"id":${id},"station":"${station}","at":"${at}","value":${value},"unit":"${unit}"}`;
  const readings = [
    reading(1, "a", "2026-07-01T22:59:00Z", "10.5"),
    reading(2, "a", "2026-07-01T23:00:00.5Z", "20"),
    reading(2, "a", "2026-07-01T23:00:00.5Z", "21"),
    reading(3, "a", "2026-07-02T10:00:00Z", "1.2345"),
    reading(4, "b", "2026-07-02T10:00:00Z", "7", "ppm"),
    reading(5, "c", "2026-07-02T10:00:00Z", "3", "µg/m³"),
  ];
  const stations = [
    `{"code":"a","name":"Old","at":{"lat":1.5,"country":"PT"}}`,
    `{"code":"a","name":"New","at":{"lat":38.7,"country":"PT"}}`,
  ];
  const { outcome, rows } = await buildFrom(AIR, { readings: { objects: readings }, stations: { objects: stations } });
  expect(outcome.failure).toBeNull();
  expect(rows.daily).toEqual([
    ["2026-07-01", "a", "New", "PT", "38.7", "10.5", "10.500", "1"],
    ["2026-07-02", "a", "New", "PT", "38.7", "21.0", "21.000", "1"],
    ["2026-07-02", "c", null, null, null, "3.0", "3.000", "1"],
  ]);
  expect(outcome.rejects).toMatchObject([{ column: "value", row: 4, value: "1.2345", step: 3 }]);
  expect(outcome.checks.find(({ check }) => check === "freshness_of_column")?.outcome).toBe("failed");
});
