import {
  asked,
  boolean,
  both,
  type DoorFile,
  type Expected,
  json,
  lines,
  number,
  read,
  refused,
  text,
  timestamp,
} from "./door-file";

const document = (name: string, content: string, ...expected: Expected[]): DoorFile => ({
  name,
  file: "j.json",
  bytes: Buffer.from(content),
  ...both(...expected),
});

const records = (name: string, all: readonly string[], ...expected: Expected[]): DoorFile => ({
  name,
  file: "j.ndjson",
  bytes: lines(...all),
  ...both(...expected),
});

/** Numbers of JSON with all their digits, in documents and in lines. */
const NUMBERS: readonly (readonly [name: string, ...numbers: string[]])[] = [
  ["integers beyond 64 bits", "9223372036854775808", "9007199254740993", "-1"],
  ["integers beyond 2^53", "9007199254740993", "1"],
  ["money of 17 digits", "999999999999999.99", "2.5"],
  ["one and a bit", "1.0000000000000001", "2.5"],
  ["too small for a double", "1e-400", "2.5"],
  ["too large for a double", "1e400", "2.5"],
  ["thirty decimals", "0.123456789012345678901234567890", "1"],
  ["exponents", "1e3", "2.5E-2"],
  ["trailing zeros", "1.10", "2.00"],
  ["forty digits", "1234567890123456789012345678901234567890", "1"],
];

const DIGITS: readonly DoorFile[] = NUMBERS.flatMap(([name, ...numbers]) => {
  const expected = [read([number("v", ...numbers)]), read([json("v", ...numbers)])];
  return [
    document(`${name}, a document`, `[${numbers.map((each) => `{"v":${each}}`).join(",")}]`, ...expected),
    records(
      `${name}, lines`,
      numbers.map((each) => `{"v":${each}}`),
      ...expected,
    ),
  ];
});

const LISTS: readonly DoorFile[] = [
  ["beyond 2^53", "[9007199254740993,1.5]", "[9223372036854775808]", "[1.0000000000000001]"],
  ["of integers beyond 64 bits", "[9223372036854775808,1]", "[2]"],
  ["of money", "[999999999999999.99]", "[0.01,0.02]"],
  ["too small", "[1e-400]", "[1]"],
  ["of small numbers", "[1,2]", "[3.5]"],
  ["with nulls", "[1,null]", "[]"],
].flatMap(([name = "", ...lists]) => [
  records(
    `lists ${name}, lines`,
    lists.map((each) => `{"l":${each}}`),
    read([json("l", ...lists)]),
  ),
  document(
    `lists ${name}, a document`,
    `[${lists.map((each) => `{"l":${each}}`).join(",")}]`,
    read([json("l", ...lists)]),
  ),
]);

const NO_ROWS = refused(/no (?:array|record|object|column|item|row|member|value)|empty|without/i);
const SOCRATA = '{"meta":{"view":{"columns":[{"name":"id"},{"name":"v"}]}},"data":[["r1","x",1],["r2","y",2]]}';

const FIFTY = Array.from({ length: 50 }, (_, at) => [at, "x"] as const);

const PLACES: readonly DoorFile[] = [
  {
    name: "rows as arrays beside a list of their columns",
    file: "j.json",
    bytes: Buffer.from(SOCRATA),
    publish: [
      read([
        json("meta", '{"view":{"columns":[{"name":"id"},{"name":"v"}]}}'),
        json("data", '[["r1","x",1],["r2","y",2]]'),
      ]),
      refused(/object/i),
    ],
    recipe: [asked(/\/data/), refused(/\/data|object/i)],
  },
  {
    name: "many rows as arrays beside a list of their columns",
    file: "j.json",
    bytes: Buffer.from(`{"meta":{"columns":[{"name":"id"},{"name":"v"}]},"data":${JSON.stringify(FIFTY)}}`),
    publish: [
      read([json("meta", '{"columns":[{"name":"id"},{"name":"v"}]}'), json("data", JSON.stringify(FIFTY))]),
      refused(/object/i),
    ],
    recipe: [
      read([number("id", ...FIFTY.map(([at]) => `${at}`)), text("v", ...FIFTY.map(() => "x"))]),
      asked(/\/data/),
      refused(/\/data|object/i),
    ],
  },
  document("an empty array", "[]", NO_ROWS),
  document("objects without members", "[{},{}]", NO_ROWS),
  document("an empty object", "{}", NO_ROWS),
  records("lines of empty objects", ["{}", "{}"], NO_ROWS),
  document("null", "null", refused(/./)),
  document("a number", "42", refused(/./), asked(/header/i)),
  document("an array of numbers", "[1,2,3]", refused(/object/i)),
  {
    name: "two lists of records of about the same size",
    file: "j.json",
    bytes: Buffer.from('{"men":[{"a":1},{"a":2}],"women":[{"a":3},{"a":4}]}'),
    publish: [refused(/object|array/i), read([json("men", '[{"a":1},{"a":2}]'), json("women", '[{"a":3},{"a":4}]')])],
    recipe: [asked(/women|men/)],
  },
  {
    name: "records below data beside a small list",
    file: "j.json",
    bytes: Buffer.from('{"links":[{"rel":"self"}],"data":[{"a":1},{"a":2},{"a":3}]}'),
    publish: [
      read([json("links", '[{"rel":"self"}]'), json("data", '[{"a":1},{"a":2},{"a":3}]')]),
      refused(/object|array/i),
    ],
    recipe: [read([number("a", "1", "2", "3")])],
  },
  {
    name: "a stated total that is larger than the rows",
    file: "j.json",
    bytes: Buffer.from('{"total":2345,"limit":2,"offset":0,"data":[{"a":1},{"a":2}]}'),
    publish: [
      read([number("total", "2345"), number("limit", "2"), number("offset", "0"), json("data", '[{"a":1},{"a":2}]')]),
      refused(/object|array/i),
    ],
    recipe: [asked(/2,?345|total/i), refused(/2,?345/)],
  },
  {
    name: "a stated number of pages",
    file: "j.json",
    bytes: Buffer.from('{"meta":{"page":1,"total_pages":24},"results":[{"a":1},{"a":2}]}'),
    publish: [
      read([json("meta", '{"page":1,"total_pages":24}'), json("results", '[{"a":1},{"a":2}]')]),
      refused(/object|array/i),
    ],
    recipe: [asked(/page/i), refused(/page/i)],
  },
];

const DUPLICATES: readonly DoorFile[] = [
  {
    name: "a list whose name is duplicated",
    file: "j.json",
    bytes: Buffer.from('{"data":[{"a":1}],"data":[{"a":2}]}'),
    publish: [refused(/object|array|duplicate|twice/i)],
    recipe: [refused(/duplicate|twice|more than once/i, /data/)],
  },
  document("a member that is duplicated", '[{"a":1},{"a":2,"a":3}]', refused(/duplicate|twice/i, /"a"/)),
  document("a member that is duplicated with the same value", '[{"a":1,"a":1}]', refused(/duplicate|twice/i, /"a"/)),
  records("a member that is duplicated in a line", ['{"a":1}', '{"a":2,"a":3}'], refused(/duplicate|twice/i, /2/)),
  records(
    "names that differ only in case",
    ['{"a":1,"A":2}', '{"a":3,"A":4}'],
    refused(/"a"|"A"/),
    read([number("a", "1", "3"), number("A_2", "2", "4")]),
  ),
];

const LATE_ROWS = 80;
const late = (member: string): string[] =>
  Array.from({ length: LATE_ROWS }, (_, at) => (at === LATE_ROWS - 1 ? `{"a":${at},${member}}` : `{"a":${at}}`));
const indexes = Array.from({ length: LATE_ROWS }, (_, at) => `${at}`);
const lastOnly = (value: string): (string | null)[] => indexes.map((_, at) => (at === LATE_ROWS - 1 ? value : null));
/** More lines than an inspection looks at for proposals about objects. */
const MANY = 600;
const many = (last: string): string[] =>
  Array.from({ length: MANY }, (_, at) => (at === MANY - 1 ? last : `{"a":${at}}`));

const SHAPES: readonly DoorFile[] = [
  records(
    "a member of the last line only",
    late('"late":"x"'),
    read([number("a", ...indexes), text("late", ...lastOnly("x"))]),
  ),
  records(
    "a number in the last line only",
    late('"late":1.50'),
    read([number("a", ...indexes), number("late", ...lastOnly("1.50"))]),
  ),
  document(
    "a member of the last record only",
    `[${late('"late":"x"').join(",")}]`,
    read([number("a", ...indexes), text("late", ...lastOnly("x"))]),
  ),
  records(
    "a fraction in the last of many lines",
    many('{"a":0.5}'),
    read([number("a", ...Array.from({ length: MANY }, (_, at) => (at === MANY - 1 ? "0.5" : `${at}`)))]),
  ),
  records(
    "a string in the last of many lines of numbers",
    many('{"a":"x"}'),
    read([json("a", ...Array.from({ length: MANY }, (_, at) => (at === MANY - 1 ? '"x"' : `${at}`)))]),
  ),
  records("strings of digits", ['{"a":"007"}', '{"a":"08"}'], read([text("a", "007", "08")])),
  records("strings of plain integers", ['{"a":"7"}', '{"a":"8"}'], read([number("a", "7", "8")])),
  records(
    "null, missing and empty",
    ['{"a":null,"b":""}', '{"b":"x"}', '{"a":"y"}'],
    read([text("a", null, null, "y"), text("b", "", "x", null)]),
  ),
  records("booleans", ['{"a":true}', '{"a":false}', '{"a":null}'], read([boolean("a", "true", "false", null)])),
  records("booleans and numbers", ['{"a":true}', '{"a":1}'], read([json("a", "true", "1")])),
  records(
    "times of JavaScript",
    ['{"a":"2026-01-01T00:00:00.000Z"}', '{"a":"2026-01-02T00:00:00.000Z"}'],
    read([
      timestamp("a", "2026-01-01T00:00:00.000Z=2026-01-01 00:00:00", "2026-01-02T00:00:00.000Z=2026-01-02 00:00:00"),
    ]),
  ),
  records(
    "a half of a surrogate pair",
    ['{"a":"x"}', String.raw`{"a":"\ud83d"}`],
    refused(/surrogate|unicode|character/i, /2/),
  ),
  records("escapes", [String.raw`{"a":"\u00e9\n\t\"\\\/"}`, '{"a":"😀"}'], read([text("a", 'é\n\t"\\/', "😀")])),
  records("CR LF within a string", [String.raw`{"a":"x\r\ny"}`, '{"a":"z"}'], read([text("a", "x\r\ny", "z")])),
  records("CR within a string", [String.raw`{"a":"x\ry"}`, '{"a":"z"}'], read([text("a", "x\ry", "z")])),
  records("a key that is empty", ['{"a":1}', '{"":2}'], refused(/empty/i, /column/i)),
  records(
    "NUL within a string",
    ['{"a":"x"}', String.raw`{"a":"a\u0000b"}`],
    read([text("a", "x", "a\0b")]),
    refused(/NUL|\\u0000|null character/i, /2/),
  ),
  records("NaN", ['{"a":1}', '{"a":NaN}'], refused(/JSON|NaN/i, /2/)),
  records("a number with a leading zero", ['{"a":1}', '{"a":01}'], refused(/JSON|number/i, /2/)),
  records("a line that is not JSON", ['{"a":1}', "oops", '{"a":2}'], refused(/JSON/i, /2/)),
  records("a line that is cut off", ['{"a":1}', '{"a":2}', '{"a":'], refused(/JSON|cut|end|closed|truncated/i, /3/)),
  document("a document that is cut off", '[{"a":1},{"a":2},{"a"', refused(/cut|truncated|ends|closed|JSON/i)),
  document("text after the document", '[{"a":1}] oops', refused(/JSON|after/i)),
  document("a comma at the end", '[{"a":1},]', refused(/JSON/i)),
  document("a comment", '[{"a":1} /* x */]', refused(/JSON/i)),
  document("single quotes", "[{'a':1}]", refused(/JSON/i)),
  document(`nested a thousand times`, `[{"a":${"[".repeat(1000)}${"]".repeat(1000)}}]`, refused(/nested/i)),
];

const NESTED: readonly DoorFile[] = [
  {
    name: "objects in objects",
    file: "j.json",
    bytes: Buffer.from('[{"id":1,"at":{"lat":1.50,"lon":2}},{"id":2,"at":{"lat":3.25,"lon":null}}]'),
    publish: [read([number("id", "1", "2"), json("at", '{"lat":1.50,"lon":2}', '{"lat":3.25,"lon":null}')])],
    recipe: [read([number("id", "1", "2"), number("at_lat", "1.50", "3.25"), number("at_lon", "2", null)])],
  },
  {
    name: "objects in objects with digits beyond a double",
    file: "j.ndjson",
    bytes: lines('{"id":1,"at":{"v":1.0000000000000001}}', '{"id":2,"at":{"v":9007199254740993}}'),
    publish: [read([number("id", "1", "2"), json("at", '{"v":1.0000000000000001}', '{"v":9007199254740993}')])],
    recipe: [
      read([number("id", "1", "2"), number("at_v", "1.0000000000000001", "9007199254740993")]),
      read([number("id", "1", "2"), json("at_v", "1.0000000000000001", "9007199254740993")]),
      read([number("id", "1", "2"), json("at", '{"v":1.0000000000000001}', '{"v":9007199254740993}')]),
    ],
  },
  {
    name: "a list of objects with digits beyond a double",
    file: "j.ndjson",
    bytes: lines('{"id":1,"l":[{"v":1.0000000000000001}]}', '{"id":2,"l":[{"v":9007199254740993},{"v":1}]}'),
    ...both(
      read([number("id", "1", "2"), json("l", '[{"v":1.0000000000000001}]', '[{"v":9007199254740993},{"v":1}]')]),
    ),
  },
  {
    name: "a member of a nested object that only a late record has",
    file: "j.ndjson",
    bytes: lines(...Array.from({ length: 250 }, (_, at) => (at === 249 ? '{"o":{"a":1,"z":2}}' : `{"o":{"a":${at}}}`))),
    publish: [
      read([json("o", ...Array.from({ length: 250 }, (_, at) => (at === 249 ? '{"a":1,"z":2}' : `{"a":${at}}`)))]),
    ],
    recipe: [
      read([
        number("o_a", ...Array.from({ length: 250 }, (_, at) => (at === 249 ? "1" : `${at}`))),
        number("o_z", ...Array.from({ length: 250 }, (_, at) => (at === 249 ? "2" : null))),
      ]),
      read([json("o", ...Array.from({ length: 250 }, (_, at) => (at === 249 ? '{"a":1,"z":2}' : `{"a":${at}}`)))]),
      asked(/"?z"?/),
    ],
  },
];

const FEATURES =
  '[{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[7.10,50.123456789012345678]}},' +
  '{"type":"Feature","properties":{"n":2},"geometry":null}]';
const GEOJSON = `{"type":"FeatureCollection","features":${FEATURES}}`;

/** A document, lines, or a table: which of them a file is. */
const FORMATS: readonly DoorFile[] = [
  {
    name: "one line of NDJSON",
    file: "one.ndjson",
    bytes: lines('{"a":1,"b":"x"}'),
    ...both(read([number("a", "1"), text("b", "x")])),
  },
  {
    name: "one line named jsonl",
    file: "one.jsonl",
    bytes: lines('{"a":1,"b":"x"}'),
    ...both(read([number("a", "1"), text("b", "x")])),
  },
  {
    name: "lines named json",
    file: "lines.json",
    bytes: lines('{"a":1,"b":"x"}', '{"a":2,"b":"y"}', '{"a":3,"b":"z"}'),
    ...both(read([number("a", "1", "2", "3"), text("b", "x", "y", "z")]), refused(/ndjson|lines/i)),
  },
  {
    name: "an array named ndjson",
    file: "array.ndjson",
    bytes: Buffer.from('[{"a":1},\n{"a":2}]\n'),
    ...both(read([number("a", "1", "2")]), refused(/array|json/i)),
  },
  {
    name: "lines with blank lines and CR LF",
    file: "j.ndjson",
    bytes: Buffer.from('{"a":1}\r\n\r\n{"a":2}\r\n'),
    ...both(read([number("a", "1", "2")])),
  },
  {
    name: "lines after a byte order mark",
    file: "j.ndjson",
    bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), lines('{"a":1}', '{"a":2}')]),
    ...both(read([number("a", "1", "2")])),
  },
  {
    name: "a document after a byte order mark",
    file: "j.json",
    bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('[{"a":1},{"a":2}]')]),
    ...both(read([number("a", "1", "2")])),
  },
  {
    name: "a document that is not UTF-8",
    file: "j.json",
    bytes: Buffer.concat([Buffer.from('[{"a":"M'), Buffer.from([0xfc]), Buffer.from('nchen"}]')]),
    ...both(refused(/utf-8/i)),
  },
  {
    name: "a document over several lines",
    file: "j.json",
    bytes: Buffer.from('[\n  {\n    "a": 1,\n    "b": "x"\n  },\n  {\n    "a": 2,\n    "b": "y"\n  }\n]\n'),
    ...both(read([number("a", "1", "2"), text("b", "x", "y")])),
  },
  {
    name: "one object",
    file: "j.json",
    bytes: Buffer.from('{"a":1,"b":"x"}'),
    ...both(read([number("a", "1"), text("b", "x")]), refused(/object|array/i)),
  },
  {
    name: "GeoJSON",
    file: "j.json",
    bytes: Buffer.from(GEOJSON),
    publish: [read([text("type", "FeatureCollection"), json("features", FEATURES)]), refused(/object|array/i)],
    recipe: [
      read([
        text("type", "Feature", "Feature"),
        number("properties_n", "1", "2"),
        text("geometry_type", "Point", null),
        json("geometry_coordinates", "[7.10,50.123456789012345678]", null),
      ]),
      read([
        text("type", "Feature", "Feature"),
        number("properties_n", "1", "2"),
        json("geometry", '{"type":"Point","coordinates":[7.10,50.123456789012345678]}', null),
      ]),
    ],
  },
];

/** JSON documents and lines. */
export const JSON_DOOR_FILES: readonly DoorFile[] = [
  ...DIGITS,
  ...LISTS,
  ...PLACES,
  ...DUPLICATES,
  ...SHAPES,
  ...NESTED,
  ...FORMATS,
];
