import { inline, workbook } from "@/lib/testing/ugly-files/workbook";
import {
  asked,
  both,
  type DoorFile,
  date,
  type Expected,
  FORMS,
  type Form,
  inForm,
  lines,
  NOT_PUBLISHED,
  number,
  read,
  refused,
  type Said,
  text,
} from "./door-file";

type Cell = string | null;

const publishing = (form: Form, ...expected: Expected[]): readonly Expected[] =>
  form === "xlsx" ? NOT_PUBLISHED : expected;

/** Rows that begin with a word of footers, or look like one, and are data. */
const LOOKALIKES: readonly (readonly [first: string, form: Form])[] = [
  ["Bronx", "comma"],
  ["Bronx", "xlsx"],
  ["Bronze Age", "semicolon"],
  ["Notes app", "tab"],
  ["Noteworthy", "gzip"],
  ["Sourceville", "pipe"],
  ["source-7", "comma"],
  ["Source", "xlsx"],
  ["*star", "semicolon"],
  ["*", "comma"],
  ["Quellental", "comma"],
  ["Quellenstraße", "xlsx"],
  ["Fontenay", "semicolon"],
  ["Fontevivo", "comma"],
  ["Notaresco", "tab"],
  ["Notaría", "xlsx"],
  ["Źródłowo", "semicolon"],
  ["Källby", "pipe"],
  ["Totality", "comma"],
  ["Totalán", "gzip"],
  ["Anmerkungsfeld", "comma"],
  ["Sourcebooks Inc", "comma"],
  ["¹H", "semicolon"],
  ["注文", "comma"],
];

const DATA_THAT_LOOKS_LIKE_A_FOOTER: readonly DoorFile[] = LOOKALIKES.flatMap(([first, form]) => {
  const places = ["Queens", "Lyon", "Aarau", first, first];
  const head = ["place", "year", "count"];
  const years = ["2020", "2020", "2020", "2020", "2021"];
  const counts = ["10", "20", "30", "40", "41"];
  const rows = places.map((place, at) => [place, years[at] ?? "", counts[at] ?? ""]);
  const expected = read([text("place", ...places), number("year", ...years), number("count", ...counts)]);
  return [
    {
      name: `last rows that begin with ${first}, ${form}`,
      ...inForm(form, [head, ...rows]),
      publish: publishing(form, expected),
      recipe: [expected],
    },
  ];
});

/** Headers in which one of the names is a number. */
const NUMBERED_NAMES: readonly DoorFile[] = [
  {
    name: "a header with a number among three names",
    file: "names.csv",
    bytes: lines("a,b,0", "1,2,3", "4,5,6"),
    ...both(read([number("a", "1", "4"), number("b", "2", "5"), number("0", "3", "6")])),
  },
  {
    name: "a header with a number among four names, beside words",
    file: "names.csv",
    bytes: lines("name,pop,area,7", "x,10,1.5,3", "y,20,2.5,4"),
    ...both(
      read([text("name", "x", "y"), number("pop", "10", "20"), number("area", "1.5", "2.5"), number("7", "3", "4")]),
    ),
  },
];

/** Two columns, where half of the cells is one. */
const NARROW: readonly DoorFile[] = [
  {
    name: "a title above and a source below four rows, the first of them sparse",
    file: "few.csv",
    bytes: lines(
      "Table 1",
      "day,n",
      "2005-05-28,",
      "1947-04-14,7.5",
      "2063-12-15,1.5",
      "2047-05-26,80.5",
      "",
      "Source: x",
    ),
    publish: [refused(/line 2/i, /fields/)],
    recipe: [
      read(
        [date("day", "2005-05-28", "1947-04-14", "2063-12-15", "2047-05-26"), number("n", null, "7.5", "1.5", "80.5")],
        { rows: 2 },
      ),
    ],
  },
  {
    name: "the last of two columns begins with source",
    file: "foot.csv",
    bytes: lines("ref,n", "a,1", "b,2", "source-7,3"),
    ...both(read([text("ref", "a", "b", "source-7"), number("n", "1", "2", "3")])),
  },
  {
    name: "one column, whose last cells begin with words of footers",
    file: "foot.csv",
    bytes: lines("title", "Alpha", "Beta", "Note to self", "Source code"),
    ...both(read([text("title", "Alpha", "Beta", "Note to self", "Source code")])),
  },
  {
    name: "notes with every cell filled",
    file: "foot.tsv",
    bytes: lines("kind\ttext\tn", "task\tbuy\t1", "note\tcall\t2", "Note\twrite\t3"),
    ...both(
      read([text("kind", "task", "note", "Note"), text("text", "buy", "call", "write"), number("n", "1", "2", "3")]),
    ),
  },
];

const start = ([first = ""]: readonly string[]): string => first.slice(0, 8).replace(/[*().+?^$|[\]\\{}]/g, "\\$&");

/** Footers: language, text, form, and whether a blank row precedes them. */
const FOOTERS: readonly (readonly [words: readonly string[], form: Form, isApart: boolean])[] = [
  [["Source: Office for National Statistics"], "comma", true],
  [["Source: Office for National Statistics"], "xlsx", true],
  [["Source: Office for National Statistics"], "semicolon", false],
  [["Note: figures are rounded.", "Source: the office"], "tab", true],
  [["Quelle: Statistisches Bundesamt"], "semicolon", true],
  [["Quelle: Statistisches Bundesamt"], "xlsx", false],
  [["Anmerkung: vorläufige Zahlen", "© Amt 2026"], "comma", true],
  [["Source : Insee, recensement"], "semicolon", true],
  [["Champ : France métropolitaine", "Source : Insee"], "xlsx", true],
  [["Fuente: INE"], "comma", true],
  [["Nota: datos provisionales", "Fuente: INE"], "pipe", true],
  [["Fonte: Istat"], "tab", true],
  [["Nota: dati provvisori"], "xlsx", true],
  [["Bron: CBS"], "comma", true],
  [["Bron: CBS, Statline"], "gzip", true],
  [["Źródło: GUS"], "semicolon", true],
  [["Uwaga: dane wstępne", "Źródło: GUS"], "xlsx", true],
  [["Fonte: INE, Portugal"], "semicolon", true],
  [["Källa: SCB"], "comma", true],
  [["Anm.: preliminära uppgifter", "Källa: SCB"], "tab", true],
  [["出典：総務省統計局"], "comma", true],
  [["注：数値は速報値", "出典：総務省"], "xlsx", true],
  [["* provisional"], "comma", true],
  [["1) estimated", "2) revised"], "semicolon", true],
];

const PLACES = ["Aarau", "Bern", "Chur", "Davos", "Elm", "Flims"];
const VALUES = ["10", "20", "30", "40", "50", "60"];
const SHARES = ["1.5", "2.5", "3.5", "4.5", "5.5", "6.5"];
const TABLE = [text("place", ...PLACES), number("count", ...VALUES), number("share", ...SHARES)];
const TABLE_ROWS = PLACES.map((place, at) => [place, VALUES[at] ?? "", SHARES[at] ?? ""]);

const withRows = (...firsts: string[]): Said[] => [
  text("place", ...PLACES, ...firsts),
  number("count", ...VALUES, ...firsts.map(() => null)),
  number("share", ...SHARES, ...firsts.map(() => null)),
];

const REAL_FOOTERS: readonly DoorFile[] = FOOTERS.map(([words, form, isApart]) => {
  const blank: Cell[][] = isApart ? [[""]] : [];
  const rows = [["place", "count", "share"], ...TABLE_ROWS, ...blank, ...words.map((word) => [word])];
  return {
    name:
      `${words.length === 1 ? "a footer" : "two lines of footer"}: ${words.join(" / ")}, ` +
      `${form}${isApart ? ", apart" : ""}`,
    ...inForm(
      form,
      rows.map((row) => (row[0] === "" ? [null] : row)),
    ),
    publish: publishing(form, refused(/line \d/i, /field|cell/i), read(TABLE, { rows: words.length })),
    recipe: [read(TABLE, { rows: words.length }), asked(new RegExp(start(words)), withRows(...words))],
  };
});

/** Footers padded to the width of the table: their rows may be kept. */
const PADDED_FOOTERS: readonly DoorFile[] = (["comma", "semicolon", "pipe", "tab"] as Form[]).map((form) => ({
  name: `a footer padded to the table's width, ${form}`,
  ...inForm(form, [["place", "count", "share"], ...TABLE_ROWS, ["Source: the office", null, null]]),
  publish: [read(withRows("Source: the office"))],
  recipe: [read(TABLE, { rows: 1 }), asked(/Source: the office/, withRows("Source: the office"))],
}));

/** Rows of which few cells are filled, at the beginning and at the end. */
const SPARSE: readonly DoorFile[] = FORMS.flatMap((form): DoorFile[] => {
  const days = ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"];
  const last: Cell[][] = [
    ["2024-01-01", "1", "2", "3", "4", "a"],
    ["2024-01-02", "2", "3", "4", "5", "b"],
    ["2024-01-03", "3", "4", "5", "6", "c"],
    ["2024-01-04", null, null, null, null, null],
    ["2024-01-05", "7", null, null, null, null],
  ];
  const first: Cell[][] = [
    ["Foo", "Bar", "Baz", null, null],
    ["Qux", "Oslo", "NO", "1.5", "2.5"],
    ["Abc", "Rome", "IT", "3.5", "4.5"],
    ["Def", "Bonn", "DE", "5.5", "6.5"],
    ["Ghi", "Lyon", "FR", "7.5", "8.5"],
    ["Jkl", "Bern", "CH", "7.5", "8.5"],
  ];
  const alone: Cell[][] = [
    ["Foo", null, null, null],
    ["Qux", "1.5", "2.5", "1"],
    ["Abc", "3.5", "4.5", "2"],
    ["Def", "5.5", "6.5", "3"],
    ["Ghi", "7.5", "8.5", "4"],
  ];
  const column = (rows: readonly (readonly Cell[])[], at: number) => rows.map((row) => row[at] ?? null);
  const lastRead = read([
    date("day", ...days),
    ...["t", "rain", "wind", "sun"].map((name, at) => number(name, ...column(last, at + 1))),
    text("note", ...column(last, 5)),
  ]);
  const firstRead = read([
    ...["name", "city", "country"].map((name, at) => text(name, ...column(first, at))),
    ...["x", "y"].map((name, at) => number(name, ...column(first, at + 3))),
  ]);
  const aloneRead = read([
    text("name", ...column(alone, 0)),
    ...["x", "y", "z"].map((name, at) => number(name, ...column(alone, at + 1))),
  ]);
  return [
    {
      name: `sparse last rows, ${form}`,
      ...inForm(form, [["day", "t", "rain", "wind", "sun", "note"], ...last]),
      publish: publishing(form, lastRead),
      recipe: [lastRead],
    },
    {
      name: `a sparse first row, ${form}`,
      ...inForm(form, [["name", "city", "country", "x", "y"], ...first]),
      publish: publishing(form, firstRead),
      recipe: [firstRead],
    },
    {
      name: `a first row of one cell, ${form}`,
      ...inForm(form, [["name", "x", "y", "z"], ...alone]),
      publish: publishing(form, aloneRead),
      recipe: [aloneRead],
    },
  ];
});

/** Blank rows between rows of data. */
const BLANKS: readonly DoorFile[] = FORMS.flatMap((form): DoorFile[] => {
  const rows: Cell[][] = [
    ["a", "b", "c"],
    ["1", "2", "3"],
    ["4", "5", "6"],
    [null],
    ["7", "8", "9"],
    ["10", "11", "12"],
  ];
  const all = [number("a", "1", "4", "7", "10"), number("b", "2", "5", "8", "11"), number("c", "3", "6", "9", "12")];
  return [
    {
      name: `a blank row in the middle, ${form}`,
      ...inForm(form, rows),
      publish: publishing(form, read(all)),
      recipe: [read(all)],
    },
    {
      name: `a blank row in the middle and a footer, ${form}`,
      ...inForm(form, [...rows, [null], ["Source: office"]]),
      publish: publishing(form, refused(/line \d/i), read(all, { rows: 1 })),
      recipe: [read(all, { rows: 1 }), asked(/Source: office/)],
    },
  ];
});

const OTHER_BLANKS: readonly DoorFile[] = [
  {
    name: "two tables below each other",
    file: "two.csv",
    bytes: lines("a,b", "1,2", "3,4", "", "p,q", "5,6", "7,8"),
    publish: [read([text("a", "1", "3", "p", "5", "7"), text("b", "2", "4", "q", "6", "8")])],
    recipe: [read([text("a", "1", "3", "p", "5", "7"), text("b", "2", "4", "q", "6", "8")]), asked(/row 5|"p"/i)],
  },
  {
    name: "a blank row after the header",
    file: "b.csv",
    bytes: lines("a;b", "", "1;2", "3;4"),
    ...both(read([number("a", "1", "3"), number("b", "2", "4")])),
  },
  {
    name: "rows of delimiters only in the middle",
    file: "b.csv",
    bytes: lines("a,b,c", "1,2,3", ",,", "4,5,6", ",,", "7,8,9"),
    publish: [
      read([
        number("a", "1", null, "4", null, "7"),
        number("b", "2", null, "5", null, "8"),
        number("c", "3", null, "6", null, "9"),
      ]),
    ],
    recipe: [
      read([number("a", "1", "4", "7"), number("b", "2", "5", "8"), number("c", "3", "6", "9")]),
      read([
        number("a", "1", null, "4", null, "7"),
        number("b", "2", null, "5", null, "8"),
        number("c", "3", null, "6", null, "9"),
      ]),
    ],
  },
  {
    name: "blank rows at the end",
    file: "b.csv",
    bytes: lines("a,b", "1,2", "3,4", "", ""),
    ...both(read([number("a", "1", "3"), number("b", "2", "4")])),
  },
  {
    name: "one column with a blank line",
    file: "one.csv",
    bytes: lines("a", "1", "", "3"),
    publish: [read([number("a", "1", null, "3")])],
    recipe: [read([number("a", "1", "3")]), read([number("a", "1", null, "3")])],
  },
  {
    name: "one column of words with a blank line",
    file: "one.csv",
    bytes: lines("name", "x", "", "y", "z"),
    publish: [read([text("name", "x", null, "y", "z")])],
    recipe: [read([text("name", "x", "y", "z")]), read([text("name", "x", null, "y", "z")])],
  },
];

/** Lines above the header. */
const PREAMBLES: readonly (readonly [words: readonly string[], form: Form])[] = [
  [["Population by place"], "comma"],
  [["Population by place", "As of 2026-01-01"], "xlsx"],
  [["Bevölkerung nach Ort", "Stand: 31.12.2025"], "semicolon"],
  [["Population par commune"], "tab"],
  [["Población por municipio", "Instituto Nacional"], "pipe"],
  [["Popolazione per comune"], "xlsx"],
  [["人口"], "comma"],
];

const WITH_PREAMBLE: readonly DoorFile[] = PREAMBLES.flatMap(([words, form]) =>
  [true, false].map((isApart): DoorFile => {
    const blank: Cell[][] = isApart ? [[null]] : [];
    return {
      name: `a preamble: ${words.join(" / ")}, ${form}${isApart ? ", apart" : ""}`,
      ...inForm(form, [...words.map((word) => [word]), ...blank, ["place", "count", "share"], ...TABLE_ROWS]),
      publish: publishing(form, refused(/line \d|header/i), read(TABLE, { rows: words.length })),
      recipe: [read(TABLE, { rows: words.length })],
    };
  }),
);

/** Headers that look like data, and data that look like headers. */
const HEADERS: readonly DoorFile[] = [
  ...(["comma", "semicolon", "tab", "xlsx"] as Form[]).map((form): DoorFile => {
    const columns = [text("region", "A", "B", "C"), number("2019", "1", "4", "7"), number("2020", "2", "5", "8")];
    return {
      name: `years as names, ${form}`,
      ...inForm(form, [
        ["region", "2019", "2020"],
        ["A", "1", "2"],
        ["B", "4", "5"],
        ["C", "7", "8"],
      ]),
      publish: publishing(form, read(columns)),
      recipe: [read(columns)],
    };
  }),
  {
    name: "dates as names",
    file: "d.csv",
    bytes: lines("region,2019-01-01,2020-01-01", "A,1,2", "B,4,5", "C,7,8"),
    ...both(
      read([text("region", "A", "B", "C"), number("2019-01-01", "1", "4", "7"), number("2020-01-01", "2", "5", "8")]),
    ),
  },
  {
    name: "German dates as names",
    file: "d.csv",
    bytes: lines("Region;31.12.2019;31.12.2020", "A;1;2", "B;4;5", "C;7;8"),
    ...both(
      read([text("Region", "A", "B", "C"), number("31.12.2019", "1", "4", "7"), number("31.12.2020", "2", "5", "8")]),
    ),
  },
  {
    name: "dates of a sheet as names",
    file: "d.xlsx",
    bytes: () =>
      workbook({
        styles: '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
        sheets: [
          {
            name: "S",
            data:
              `<row r="1">${inline("A1", "region")}<c r="B1" s="1"><v>43466</v></c>` +
              `<c r="C1" s="1"><v>43831</v></c></row>` +
              `<row r="2">${inline("A2", "A")}<c r="B2"><v>1</v></c><c r="C2"><v>2</v></c></row>` +
              `<row r="3">${inline("A3", "B")}<c r="B3"><v>4</v></c><c r="C3"><v>5</v></c></row>`,
          },
        ],
      }),
    publish: NOT_PUBLISHED,
    recipe: [read([text("region", "A", "B"), number("2019-01-01", "1", "4"), number("2020-01-01", "2", "5")])],
  },
  ...(["comma", "semicolon", "pipe", "xlsx"] as Form[]).map((form): DoorFile => {
    const columns = [text("city", "Bern", "Rom", "Oslo"), text("country", "CH", "IT", "NO")];
    return {
      name: `words only, ${form}`,
      ...inForm(form, [
        ["city", "country"],
        ["Bern", "CH"],
        ["Rom", "IT"],
        ["Oslo", "NO"],
      ]),
      publish: publishing(form, read(columns)),
      recipe: [read(columns)],
    };
  }),
  {
    name: "a header and one row of words",
    file: "h.csv",
    bytes: lines("city,country", "Bern,CH"),
    ...both(read([text("city", "Bern"), text("country", "CH")])),
  },
  {
    name: "a header and one row of numbers",
    file: "h.csv",
    bytes: lines("a,b", "1,2"),
    ...both(read([number("a", "1"), number("b", "2")])),
  },
  {
    name: "numbers without a header",
    file: "h.csv",
    bytes: lines("1,2", "3,4", "5,6", "7,8"),
    publish: [read([number("1", "3", "5", "7"), number("2", "4", "6", "8")])],
    recipe: [read([number("column_1", "1", "3", "5", "7"), number("column_2", "2", "4", "6", "8")]), asked(/header/i)],
  },
  {
    name: "the same name twice",
    file: "h.csv",
    bytes: lines("id,value,value", "1,2,3", "4,5,6"),
    publish: [refused(/columns 2 and 3/i, /value/)],
    recipe: [
      read([number("id", "1", "4"), number("value", "2", "5"), number("value_2", "3", "6")]),
      refused(/value/, /column 2/i),
    ],
  },
  {
    name: "a column without a name that has values",
    file: "h.csv",
    bytes: lines("id,,n", "1,x,3", "4,y,6"),
    publish: [refused(/column 2 has no name/i)],
    recipe: [read([number("id", "1", "4"), text("column_2", "x", "y"), number("n", "3", "6")])],
  },
  {
    name: "a row of units below the header",
    file: "h.csv",
    bytes: lines("place,height,weight", "name,m,kg", "Aarau,1.5,2", "Bern,2.5,3", "Chur,3.5,4"),
    publish: [
      read([
        text("place", "name", "Aarau", "Bern", "Chur"),
        text("height", "m", "1.5", "2.5", "3.5"),
        text("weight", "kg", "2", "3", "4"),
      ]),
    ],
    recipe: [
      read([
        text("place", "name", "Aarau", "Bern", "Chur"),
        text("height", "m", "1.5", "2.5", "3.5"),
        text("weight", "kg", "2", "3", "4"),
      ]),
      asked(/row 2|kg|header/i),
      read([
        text("place name", "Aarau", "Bern", "Chur"),
        number("height m", "1.5", "2.5", "3.5"),
        number("weight kg", "2", "3", "4"),
      ]),
    ],
  },
  {
    name: "a name in capitals in the middle of the data",
    file: "h.csv",
    bytes: lines("city,country", "Bern,CH", "CITY,COUNTRY", "Rom,IT"),
    ...both(read([text("city", "Bern", "CITY", "Rom"), text("country", "CH", "COUNTRY", "IT")])),
  },
  {
    name: "a total as the last row",
    file: "h.csv",
    bytes: lines("place,a,b", "Aarau,1,2", "Bern,3,4", "Total,4,6"),
    ...both(read([text("place", "Aarau", "Bern", "Total"), number("a", "1", "3", "4"), number("b", "2", "4", "6")])),
  },
  {
    name: "a total of one filled cell of two",
    file: "h.csv",
    bytes: lines("place,n,share", "Aarau,1,10", "Bern,3,90", "Total,4,"),
    ...both(
      read([text("place", "Aarau", "Bern", "Total"), number("n", "1", "3", "4"), number("share", "10", "90", null)]),
    ),
  },
  {
    name: "lines that begin with # above the header",
    file: "h.csv",
    bytes: lines("# made by hand", "# 2026", "id,name", "1,#a", "2,b"),
    publish: [refused(/line \d|header/i), read([number("id", "1", "2"), text("name", "#a", "b")], { rows: 2 })],
    recipe: [read([number("id", "1", "2"), text("name", "#a", "b")], { rows: 2 })],
  },
  {
    name: "a header that begins with #",
    file: "h.tsv",
    bytes: lines("#chrom\tpos", "chr1\t10", "chr2\t20"),
    ...both(read([text("#chrom", "chr1", "chr2"), number("pos", "10", "20")])),
  },
  {
    name: "data that begin with #",
    file: "h.csv",
    bytes: lines("tag,n", "#news,1", "#sports,2", "plain,3"),
    ...both(read([text("tag", "#news", "#sports", "plain"), number("n", "1", "2", "3")])),
  },
];

/** Where tables begin and end. */
export const LAYOUT_FILES: readonly DoorFile[] = [
  ...DATA_THAT_LOOKS_LIKE_A_FOOTER,
  ...NUMBERED_NAMES,
  ...NARROW,
  ...REAL_FOOTERS,
  ...PADDED_FOOTERS,
  ...SPARSE,
  ...BLANKS,
  ...OTHER_BLANKS,
  ...WITH_PREAMBLE,
  ...HEADERS,
];
