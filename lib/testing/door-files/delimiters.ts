import {
  asked,
  both,
  bytesOf,
  type DoorFile,
  FORMS,
  type Form,
  inForm,
  lines,
  mustBe,
  number,
  read,
  refused,
  text,
  timestamp,
} from "./door-file";

/** A whole file is one column of quoted names, which contain each delimiter. */
const ONE_COLUMN: readonly DoorFile[] = [
  ...[",", ";", "\t", "|"].map((delimiter): DoorFile => {
    const names = ["Doe", "Roe", "Poe"].map((name) => `${name}${delimiter} J`);
    return {
      name: `one column of quoted names with ${JSON.stringify(delimiter)}`,
      file: "names.csv",
      bytes: lines("name", ...names.map((name) => `"${name}"`)),
      ...both(read([text("name", ...names)])),
    };
  }),
  {
    name: "one column of quoted sentences with commas and quotes",
    file: "said.csv",
    bytes: lines("quote", '"Yes, ""maybe"", no"', '"One, two, three"', '"Four, five"'),
    ...both(read([text("quote", 'Yes, "maybe", no', "One, two, three", "Four, five")])),
  },
  {
    name: "one column, some of whose cells are quoted",
    file: "places.csv",
    bytes: lines("place", '"Washington, DC"', "Boston", '"Portland, OR"', "Reno"),
    ...both(read([text("place", "Washington, DC", "Boston", "Portland, OR", "Reno")])),
  },
  {
    name: "one column of numbers",
    file: "n.csv",
    bytes: lines("n", "1", "2", "3", "4"),
    ...both(read([number("n", "1", "2", "3", "4")])),
  },
  {
    name: "one column of words",
    file: "w.csv",
    bytes: lines("word", "apple", "pear", "plum"),
    ...both(read([text("word", "apple", "pear", "plum")])),
  },
  {
    name: "one column of apostrophes",
    file: "w.csv",
    bytes: lines("word", "don't", "rock 'n' roll", "it's"),
    ...both(read([text("word", "don't", "rock 'n' roll", "it's")])),
  },
  {
    name: "one quoted column in a gzip file",
    file: "w.csv.gz",
    bytes: inForm("gzip", [["name"], ["Doe, Jane"], ["Roe, Rick"], ["Poe, Al"]]).bytes,
    ...both(read([text("name", "Doe, Jane", "Roe, Rick", "Poe, Al")])),
  },
];

/** A first line that tells spreadsheets the delimiter, above the shortest of tables. */
const NAMED: readonly DoorFile[] = [
  [";", "\n", ""],
  [",", "\n", ""],
  ["\t", "\n", ""],
  ["|", "\r\n", ""],
  [";", "\r\n", '"'],
].map(([delimiter = "", end = "", quote = ""]): DoorFile => {
  const rows = [`${quote}sep=${delimiter}${quote}`, `a${delimiter}b`, `1${delimiter}x y`, ""];
  return {
    name: `a first line ${JSON.stringify(rows[0])}`,
    file: "export.csv",
    bytes: Buffer.from(rows.join(end)),
    publish: [refused(/spreadsheets/, /line 1/i)],
    recipe: [read([number("a", "1"), text("b", "x y")], { rows: 1 })],
  };
});

/** A first line that names a delimiter which no line has. */
const MISNAMED: readonly DoorFile[] = [
  {
    name: "a first line that names a delimiter which no other line has",
    file: "export.csv",
    bytes: lines("sep=;", "id,price", "1,3", "2,6", "4,12"),
    publish: [refused(/fields|spreadsheets/, /line/i)],
    recipe: [read([number("id", "1", "2", "4"), number("price", "3", "6", "12")], { rows: 1 })],
  },
];

const BACKSLASHED = read([number("id", "1", "2"), text("name", 'a "b" c', "d")]);
const QUOTE_WORDS = refused(/quot|backslash|escape/i, /line 2|row 2/i);

const BACKSLASHES: readonly DoorFile[] = [
  ...[",", ";", "\t", "|"].map(
    (delimiter): DoorFile => ({
      name: `quotes escaped by a backslash beside ${JSON.stringify(delimiter)}`,
      file: "q.csv",
      bytes: lines(`id${delimiter}name`, String.raw`1${delimiter}"a \"b\" c"`, `2${delimiter}"d"`),
      publish: [BACKSLASHED, QUOTE_WORDS],
      recipe: [BACKSLASHED],
    }),
  ),
  {
    name: "quotes escaped by a backslash around a delimiter",
    file: "q.csv",
    bytes: lines("id,name", String.raw`1,"say \"a, b\" now"`, '2,"d, e"', "3,f"),
    publish: [read([number("id", "1", "2", "3"), text("name", 'say "a, b" now', "d, e", "f")]), QUOTE_WORDS],
    recipe: [read([number("id", "1", "2", "3"), text("name", 'say "a, b" now', "d, e", "f")])],
  },
  {
    name: "a backslash that is only a backslash",
    file: "q.csv",
    bytes: lines("id,path", String.raw`1,C:\temp`, String.raw`2,"C:\new, old"`, String.raw`3,\\server`),
    ...both(read([number("id", "1", "2", "3"), text("path", "C:\\temp", "C:\\new, old", "\\\\server")])),
  },
  {
    name: "a backslash before a closing quote",
    file: "q.csv",
    bytes: lines("id,path", String.raw`1,"C:\temp\"`, String.raw`2,"D:\"`, '3,"x, y"'),
    ...both(read([number("id", "1", "2", "3"), text("path", "C:\\temp\\", "D:\\", "x, y")])),
  },
  {
    name: "doubled quotes beside backslashes",
    file: "q.csv",
    bytes: lines("id,name", String.raw`1,"a ""b"" \ c"`, '2,"d"'),
    ...both(read([number("id", "1", "2"), text("name", 'a "b" \\ c', "d")])),
  },
];

const COMMAS_IN_HEADER: readonly DoorFile[] = [
  {
    name: "semicolons beside a header with commas and decimal commas",
    file: "preise.csv",
    bytes: lines("id;Preis, EUR;Menge, kg", "1;2,50;3,25", "2;4,75;6,00"),
    ...both(
      read([
        number("id", "1", "2"),
        number("Preis, EUR", "2,50=2.5", "4,75=4.75"),
        number("Menge, kg", "3,25=3.25", "6,00=6"),
      ]),
    ),
  },
  {
    name: "pipes beside a header with commas and decimal commas",
    file: "preise.csv",
    bytes: lines("id|Preis, EUR|Menge, kg", "1|2,50|3,25", "2|4,75|6,00"),
    ...both(
      read([
        number("id", "1", "2"),
        number("Preis, EUR", "2,50=2.5", "4,75=4.75"),
        number("Menge, kg", "3,25=3.25", "6,00=6"),
      ]),
    ),
  },
  {
    name: "tabs beside a header with commas and decimal commas, named csv",
    file: "preise.csv",
    bytes: lines("id\tPreis, EUR\tMenge, kg", "1\t2,50\t3,25", "2\t4,75\t6,00"),
    ...both(
      read([
        number("id", "1", "2"),
        number("Preis, EUR", "2,50=2.5", "4,75=4.75"),
        number("Menge, kg", "3,25=3.25", "6,00=6"),
      ]),
    ),
  },
  {
    name: "semicolons beside a header with more commas than semicolons",
    file: "a.csv",
    bytes: lines("Name, Vorname, Titel;Ort, Land", "Doe, Jane, Dr.;Bern, CH", "Roe, Rick, Prof.;Rom, IT"),
    publish: [
      read([
        text("Name, Vorname, Titel", "Doe, Jane, Dr.", "Roe, Rick, Prof."),
        text("Ort, Land", "Bern, CH", "Rom, IT"),
      ]),
      // as consistent, and what RFC 4180 says
      read([
        text("Name", "Doe", "Roe"),
        text(" Vorname", " Jane", " Rick"),
        text(" Titel;Ort", " Dr.;Bern", " Prof.;Rom"),
        text(" Land", " CH", " IT"),
      ]),
    ],
    recipe: [
      read([
        text("Name, Vorname, Titel", "Doe, Jane, Dr.", "Roe, Rick, Prof."),
        text("Ort, Land", "Bern, CH", "Rom, IT"),
      ]),
      asked(/delimiter/i),
    ],
  },
  {
    name: "semicolons and decimal commas in every cell",
    file: "a.csv",
    bytes: lines("a;b;c", "1,5;2,5;3,5", "4,5;5,5;6,5", "7,5;8,5;9,5"),
    ...both(
      read([
        number("a", "1,5=1.5", "4,5=4.5", "7,5=7.5"),
        number("b", "2,5=2.5", "5,5=5.5", "8,5=8.5"),
        number("c", "3,5=3.5", "6,5=6.5", "9,5=9.5"),
      ]),
    ),
  },
  {
    name: "commas beside semicolons in text",
    file: "a.csv",
    bytes: lines("id,tags", "1,a;b;c", "2,d;e;f", "3,g;h;i"),
    ...both(read([number("id", "1", "2", "3"), text("tags", "a;b;c", "d;e;f", "g;h;i")])),
  },
  {
    name: "commas beside pipes in text",
    file: "a.csv",
    bytes: lines("id,tags,n", "1,a|b|c,2", "2,d|e|f,3", "3,g|h|i,4"),
    ...both(read([number("id", "1", "2", "3"), text("tags", "a|b|c", "d|e|f", "g|h|i"), number("n", "2", "3", "4")])),
  },
];

/** A header alone is a header. */
const HEADER_ONLY: readonly DoorFile[] = [
  ...FORMS.map(
    (form): DoorFile => ({
      name: `only a header of two names, ${form}`,
      ...inForm(form, [["a", "b"]]),
      publish: form === "xlsx" ? [refused(/format|csv|workbook/i)] : [read([text("a"), text("b")])],
      recipe: [read([text("a"), text("b")])],
    }),
  ),
  {
    name: "only a header of names with blanks, without an end of line",
    file: "a.csv",
    bytes: Buffer.from("first name,last name,city"),
    ...both(read([text("first name"), text("last name"), text("city")])),
  },
  {
    name: "only a header, after a byte order mark",
    file: "a.csv",
    bytes: Buffer.concat([bytesOf(0xef, 0xbb, 0xbf), lines("a;b;c")]),
    ...both(read([text("a"), text("b"), text("c")])),
  },
  {
    name: "only a header of one name",
    file: "a.csv",
    bytes: lines("name"),
    ...both(read([text("name")])),
  },
];

/** Ends of lines within quoted cells, in the first record and later. */
const LINE_ENDS: readonly DoorFile[] = [
  ...[
    ["CR LF", "\r\n"],
    ["LF", "\n"],
    ["CR", "\r"],
  ].flatMap(([word = "", inner = ""]) =>
    [
      ["CR LF", "\r\n"],
      ["LF", "\n"],
    ].flatMap(([outerWord = "", outer = ""]): DoorFile[] => [
      {
        name: `${word} in a quoted cell of the first record, lines that end with ${outerWord}`,
        file: "k.csv",
        bytes: Buffer.from(["a,b", `1,"x${inner}y"`, "2,z", ""].join(outer)),
        ...both(read([number("a", "1", "2"), text("b", `x${inner}y`, "z")])),
      },
      {
        name: `${word} in a quoted cell of a later record, lines that end with ${outerWord}`,
        file: "k.csv",
        bytes: Buffer.from(["a;b", "1;z", `2;"x${inner}y"`, "3;w", ""].join(outer)),
        ...both(read([number("a", "1", "2", "3"), text("b", "z", `x${inner}y`, "w")])),
      },
    ]),
  ),
  {
    name: "lines that end with CR alone",
    file: "k.csv",
    bytes: Buffer.from("a,b\r1,x\r2,y\r"),
    ...both(read([number("a", "1", "2"), text("b", "x", "y")])),
  },
  {
    name: "mixed ends of lines",
    file: "k.csv",
    bytes: Buffer.from("a,b\r\n1,x\n2,y\r\n3,z\n"),
    publish: [read([number("a", "1", "2", "3"), text("b", "x", "y", "z")]), refused(/LF|line end/i, /line 2|row 2/i)],
    recipe: [
      read([number("a", "1", "2", "3"), text("b", "x", "y", "z")]),
      asked(/line end|CRLF|LF/i),
      refused(/LF/, /row \d|line \d/i),
    ],
  },
];

/** Ctrl-Z, with which old programs end a file. */
const END_MARKS: readonly DoorFile[] = [
  ...[
    ["after the last line", "id,name\n1,a\n2,b\n\x1a"],
    ["after CR LF", "id,name\r\n1,a\r\n2,b\r\n\x1a"],
    ["with its own line end", "id,name\n1,a\n2,b\n\x1a\n"],
    ["in a file of semicolons", "id;name\n1;a\n2;b\n\x1a"],
  ].map(
    ([where = "", content = ""]): DoorFile => ({
      name: `Ctrl-Z ${where}`,
      file: "old.csv",
      bytes: Buffer.from(content),
      publish: [read([number("id", "1", "2"), text("name", "a", "b")]), refused(/line 4|ctrl-z|control/i)],
      recipe: [read([number("id", "1", "2"), text("name", "a", "b")])],
    }),
  ),
  {
    name: "Ctrl-Z within the text of a cell",
    file: "old.csv",
    bytes: Buffer.from("id,name\n1,a\x1ab\n2,c\n"),
    ...both(
      read([number("id", "1", "2"), text("name", "a\x1ab", "c")]),
      refused(/ctrl-z|control|1a/i, /line 2|row 2/i),
    ),
  },
];

/** Cells of blanks among numbers. */
const BLANK_CELLS: readonly DoorFile[] = [
  ...[
    ["a space", " "],
    ["two spaces", "  "],
    ["a no-break space", "\u00a0"],
  ].map(
    ([word = "", blank = ""]): DoorFile => ({
      name: `${word} as a cell among numbers`,
      file: "s.csv",
      bytes: lines("id,value", "1,52", "2,41", `3,${blank}`, "4,99", "5,"),
      ...both(read([number("id", "1", "2", "3", "4", "5"), number("value", "52", "41", `${blank}=`, "99", null)])),
    }),
  ),
  {
    name: "spaces around numbers",
    file: "s.csv",
    bytes: lines("id;value", "1; 52", "2;41 ", "3; 7 "),
    ...both(read([number("id", "1", "2", "3"), number("value", " 52=52", "41 =41", " 7 =7")])),
  },
  {
    name: "spaces around text are kept",
    file: "s.csv",
    bytes: lines("id,name", "1, a", "2,b ", "3,c"),
    ...both(read([number("id", "1", "2", "3"), text("name", " a", "b ", "c")])),
  },
];

const TEN = Array.from({ length: 10 }, (_, at) => [`${at}`, `${at}`] as const);

/** Records with too few or too many cells: a header keeps its width, and nothing is cut silently. */
const RAGGED: readonly DoorFile[] = [
  {
    name: "a short, a complete and a long record",
    file: "m.csv",
    bytes: lines("a,b,c", "1,2", "3,4,5", "6,7,8,9"),
    publish: [refused(/line 2/i, /field|cell/i)],
    recipe: [
      read([number("a", "1", "3", "6"), number("b", "2", "4", "7"), number("c", null, "5", "8")], { cells: 1 }),
      refused(/row|line/i, /cells/i),
    ],
  },
  ...[",", ";", "\t", "|"].map((delimiter): DoorFile => {
    const written = TEN.map((cells) => cells.join(delimiter));
    return {
      name: `a cell beyond the header among ten rows, ${JSON.stringify(delimiter)}`,
      file: "m.csv",
      bytes: lines(`a${delimiter}b`, ...written, `10${delimiter}10${delimiter}EXTRA`, `11${delimiter}11`),
      publish: [refused(/line 12/i, /fields|cells/i)],
      recipe: [
        read([number("a", ...TEN.map(([a]) => a), "10", "11"), number("b", ...TEN.map(([, b]) => b), "10", "11")], {
          cells: 1,
        }),
        read([
          number("a", ...TEN.map(([a]) => a), "10", "11"),
          number("b", ...TEN.map(([, b]) => b), "10", "11"),
          text("column_3", ...TEN.map(() => null), "EXTRA", null),
        ]),
        refused(/row 12/i, /cells/i),
      ],
    };
  }),
  {
    name: "a short record in the middle",
    file: "m.csv",
    bytes: lines("a,b,c", "1,2,3", "4,5", "6,7,8", "9,10,11"),
    publish: [refused(/line 3/i)],
    recipe: [
      read([number("a", "1", "4", "6", "9"), number("b", "2", "5", "7", "10"), number("c", "3", null, "8", "11")]),
    ],
  },
  {
    name: "a short first record",
    file: "m.csv",
    bytes: lines("name;x;y", "Foo", "Bar;1;2", "Baz;3;4", "Qux;5;6"),
    publish: [refused(/line 2/i)],
    recipe: [
      read([
        text("name", "Foo", "Bar", "Baz", "Qux"),
        number("x", null, "1", "3", "5"),
        number("y", null, "2", "4", "6"),
      ]),
    ],
  },
  {
    name: "a short last record",
    file: "m.csv",
    bytes: lines("name;x;y", "Bar;1;2", "Baz;3;4", "Qux;5;6", "Foo"),
    publish: [refused(/line 5/i)],
    recipe: [
      read([
        text("name", "Bar", "Baz", "Qux", "Foo"),
        number("x", "1", "3", "5", null),
        number("y", "2", "4", "6", null),
      ]),
      asked(/Foo|row 5/i, [
        text("name", "Bar", "Baz", "Qux", "Foo"),
        number("x", "1", "3", "5", null),
        number("y", "2", "4", "6", null),
      ]),
    ],
  },
  {
    name: "a delimiter at the end of every line",
    file: "m.csv",
    bytes: lines("a;b;", "1;2;", "3;4;"),
    publish: [refused(/no name|column 3/i)],
    recipe: [read([number("a", "1", "3"), number("b", "2", "4")])],
  },
  {
    name: "a delimiter at the end of every line but the header",
    file: "m.csv",
    bytes: lines("a;b", "1;2;", "3;4;", "5;6;"),
    publish: [refused(/line 2/i)],
    recipe: [read([number("a", "1", "3", "5"), number("b", "2", "4", "6")])],
  },
  {
    name: "text with an unquoted delimiter",
    file: "m.csv",
    bytes: lines("id,name,n", "1,Ada,2", "2,Doe, Jane,3", "3,Bo,4"),
    publish: [refused(/line 3/i)],
    recipe: [asked(/row 3|beyond|Jane/i), refused(/row 3/i, /cells/i)],
  },
];

/** Headers and cells in brackets are not JSON. */
const BRACKETS: readonly DoorFile[] = [
  ...(["comma", "semicolon", "tab", "gzip"] as Form[]).map(
    (form): DoorFile => ({
      name: `names in brackets, ${form}`,
      ...inForm(form, [
        ["[Id]", "[Name]", "[Value]"],
        ["1", "a", "2"],
        ["2", "b", "3"],
      ]),
      ...both(read([number("[Id]", "1", "2"), text("[Name]", "a", "b"), number("[Value]", "2", "3")])),
    }),
  ),
  {
    name: "names in braces",
    file: "b.csv",
    bytes: lines("{id},{name}", "1,a", "2,b"),
    ...both(read([number("{id}", "1", "2"), text("{name}", "a", "b")])),
  },
  {
    name: "cells in brackets",
    file: "b.csv",
    bytes: lines("[a];b", "[1];x", "[2];y"),
    ...both(read([text("[a]", "[1]", "[2]"), text("b", "x", "y")])),
  },
  {
    name: "a column of JSON arrays",
    file: "b.csv",
    bytes: lines("id,list", '1,"[1,2]"', '2,"[3]"', '3,"[]"'),
    ...both(read([number("id", "1", "2", "3"), text("list", "[1,2]", "[3]", "[]")])),
  },
];

const NOON = ["01.10.2026 03:31", "02.10.2026 04:31", "03.10.2026 05:31", "23.10.2026 06:31"] as const;

const CLEAR: readonly DoorFile[] = [
  {
    name: "a clear delimiter beside times and decimal commas",
    file: "messung.csv",
    bytes: lines("Zeit;Pegel;Ort", ...NOON.map((at, row) => `${at};${row},5;Ufer, links`)),
    publish: [
      read([
        text("Zeit", ...NOON),
        text("Pegel", "0,5", "1,5", "2,5", "3,5"),
        text("Ort", ...NOON.map(() => "Ufer, links")),
      ]),
    ],
    recipe: [
      read([
        mustBe(timestamp("Zeit", ...NOON.map((at) => `${at}=2026-10-${at.slice(0, 2)} ${at.slice(11)}:00`))),
        number("Pegel", "0,5=0.5", "1,5=1.5", "2,5=2.5", "3,5=3.5"),
        text("Ort", ...NOON.map(() => "Ufer, links")),
      ]),
    ],
    notWarned: /delimiter/i,
  },
  {
    name: "a clear delimiter beside text with commas",
    file: "a.tsv",
    bytes: lines("id\tname", "1\tDoe, Jane", "2\tRoe, Rick", "3\tPoe, Al"),
    ...both(read([number("id", "1", "2", "3"), text("name", "Doe, Jane", "Roe, Rick", "Poe, Al")])),
    notWarned: /delimiter/i,
  },
  {
    name: "a clear delimiter beside ISO times",
    file: "a.csv",
    bytes: lines("at,value", "2026-01-01T00:00:00.000Z,1", "2026-01-01T01:00:00.000Z,2"),
    ...both(
      read([
        mustBe(
          timestamp(
            "at",
            "2026-01-01T00:00:00.000Z=2026-01-01 00:00:00",
            "2026-01-01T01:00:00.000Z=2026-01-01 01:00:00",
          ),
        ),
        number("value", "1", "2"),
      ]),
    ),
    notWarned: /delimiter/i,
  },
  {
    name: "sep=; in the first line",
    file: "excel.csv",
    bytes: Buffer.from("sep=;\r\nid;name\r\n1;a\r\n2;b\r\n"),
    publish: [read([number("id", "1", "2"), text("name", "a", "b")]), refused(/line 2|line 1|column 2/i)],
    recipe: [read([number("id", "1", "2"), text("name", "a", "b")], { rows: 1 })],
  },
  {
    name: "single quotes as quotes",
    file: "a.csv",
    bytes: lines("id,name", "1,'Doe, Jane'", "2,'Roe, Rick'", "3,'Poe, Al'"),
    publish: [
      refused(/line 2/i),
      read([number("id", "1", "2", "3"), text("name", "Doe, Jane", "Roe, Rick", "Poe, Al")]),
    ],
    recipe: [read([number("id", "1", "2", "3"), text("name", "Doe, Jane", "Roe, Rick", "Poe, Al")])],
  },
  {
    name: "inches: a quote within plain text",
    file: "a.csv",
    bytes: lines("id,size", '1,3" pipe', '2,5" pipe', "3,none"),
    publish: [read([number("id", "1", "2", "3"), text("size", '3" pipe', '5" pipe', "none")])],
    recipe: [
      read([number("id", "1", "2", "3"), text("size", '3" pipe', '5" pipe', "none")]),
      refused(/row 2/i, /quote/i),
    ],
  },
  {
    name: "a quote that is never closed",
    file: "a.csv",
    bytes: lines("id,name", "1,a", '2,"b', "3,c"),
    publish: [refused(/line 3/i, /never closed/i)],
    recipe: [
      refused(/row 3/i, /never closed|quote/i),
      read([number("id", "1", "2", "3"), text("name", "a", '"b', "c")]),
    ],
  },
];

/** What delimiters, quotes and ends of lines mean. */
export const DELIMITER_FILES: readonly DoorFile[] = [
  ...ONE_COLUMN,
  ...NAMED,
  ...MISNAMED,
  ...BACKSLASHES,
  ...COMMAS_IN_HEADER,
  ...HEADER_ONLY,
  ...LINE_ENDS,
  ...END_MARKS,
  ...BLANK_CELLS,
  ...RAGGED,
  ...BRACKETS,
  ...CLEAR,
];
