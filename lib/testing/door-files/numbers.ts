import {
  asked,
  both,
  type DoorFile,
  type Expected,
  lines,
  mustBe,
  number,
  read,
  refused,
  type Said,
  text,
} from "./door-file";

/** A column of exact digits beside plain ones: `source=value` or the value. */
const exact = (name: string, ...cells: string[]): DoorFile => ({
  name,
  file: "n.csv",
  bytes: lines("c", ...cells.map((cell) => cell.split("=")[0] ?? "")),
  ...both(read([number("c", ...cells)])),
});

/** Digits that a double does not hold, or only just. */
const DIGITS: readonly DoorFile[] = [
  exact("17 digits of money", "999999999999999.99", "2.5"),
  exact("16 digits of money", "99999999999999.99", "0.01"),
  exact("one and a bit", "1.0000000000000001", "2.5"),
  exact("too small for a double", "1e-400", "2.5"),
  exact("too large for a double", "1e400", "2.5"),
  exact("smallest double", "5e-324", "2.5"),
  exact("below the smallest double", "2e-324", "2.5"),
  exact("thirty decimals", "0.123456789012345678901234567890", "1.5"),
  exact("forty digits", "1234567890123456789012345678901234567890", "1"),
  exact("38 nines", "99999999999999999999999999999999999999", "1"),
  exact("just beyond int64", "9223372036854775808", "1"),
  exact("smallest int64", "-9223372036854775808", "1"),
  exact("just beyond 2^53", "9007199254740993", "1"),
  exact("just beyond 2^53 with a fraction", "9007199254740993.5", "1"),
  exact("decimal places that disagree", "1.5", "2.25", "3.125", "1000000.0625"),
  exact("trailing zeros", "1.10", "1.1", "2.00"),
  exact("exponents", "1e3=1000", "2.5E-2=0.025", "1E+05=100000"),
  exact("signs", "-1.5", "+2.5=2.5", "-0.25"),
  exact("plus signs", "+5=5", "-3", "+12=12"),
  exact("point at the end or the start", "1.=1", ".5=0.5", "-.25=-0.25"),
  exact("negative zero", "-0=0", "5", "0"),
];

/** Text of digits that is not a number, and must keep every character. */
const asText = (name: string, ...cells: string[]): DoorFile => ({
  name,
  file: "t.csv",
  bytes: lines("c", ...cells),
  ...both(read([text("c", ...cells)])),
});

const NOT_NUMBERS: readonly DoorFile[] = [
  asText("leading zeros", "007", "010", "100"),
  asText("a single leading zero at the end", "12", "34", "056"),
  asText("underscores", "1_000", "2_000"),
  asText("hexadecimal", "0x10", "0xFF"),
  asText("version numbers", "1.2.3", "1.10.0"),
  asText("telephone numbers", "+41 44 123 45 67", "+49 30 1234567"),
  asText("dates of digits beside words", "20240105", "unknown"),
  asText("fractions", "1/2", "3/4"),
  asText("ranges", "10-19", "20-29"),
  asText("numbers with units", "5 kg", "7 kg"),
  asText("numbers with flags", "12 p", "13 e", "14"),
  asText("infinity and words", "inf", "low", "1"),
  asText("postcodes with leading zeros and text", "01067", "D-10115"),
  asText("ISBN with X", "080442957X", "0306406152"),
  asText("Arabic-Indic digits", "١٢٣", "٤٥٦"),
];

/** A column beside `;` in a notation: as text, or as these numbers. */
function notation(name: string, ...cells: string[]): DoorFile {
  const expected = read([text("place", ...cells.map((_, at) => `P${at}`)), number("value", ...cells)]);
  return {
    name,
    file: "n.csv",
    bytes: lines("place;value", ...cells.map((cell, at) => `P${at};${cell.split("=")[0]}`)),
    ...both(expected),
  };
}

const NOTATIONS: readonly DoorFile[] = [
  notation("decimal commas of three digits, one begins with 0", "0,125=0.125", "1,250=1.25", "12,500=12.5"),
  notation("decimal commas of one to four digits", "0,5=0.5", "1,25=1.25", "12,500=12.5", "1,2345=1.2345"),
  notation("German thousands and decimals", "1.234,50=1234.5", "12.500,25=12500.25", "900,00=900"),
  notation("Swiss apostrophes", "1'234.50=1234.5", "12'500.25=12500.25", "900.00=900"),
  notation("Swiss typographic apostrophes", "1’234.50=1234.5", "12’500.25=12500.25", "900.00=900"),
  notation("French narrow no-break spaces", "1\u202f234,5=1234.5", "12\u202f345,25=12345.25", "7,5=7.5"),
  notation("no-break spaces", "1\u00a0234,5=1234.5", "2\u00a0000,25=2000.25", "7,5=7.5"),
  notation("integers with no-break spaces", "1\u00a0234=1234", "22\u00a0000=22000", "7"),
  notation("integers with narrow no-break spaces", "1\u202f234=1234", "12\u202f345=12345", "7"),
  notation("Swedish spaces", "1 234,5=1234.5", "12 345,25=12345.25", "7,5=7.5"),
  notation("English thousands", "1,234.50=1234.5", "12,500.25=12500.25", "900.00=900"),
  notation("Indian groups", "1,23,456.50=123456.5", "12,34,567.25=1234567.25", "900.00=900"),
  notation("millions with two dots", "1.234.567=1234567", "12.345.678=12345678", "900"),
  notation("millions with two commas", "1,234,567=1234567", "12,345,678=12345678", "900"),
  notation("per cent", "12 %=12", "7,5 %=7.5", "100 %=100"),
  notation("a trailing minus", "12-=-12", "7", "100-=-100"),
  notation("accounting parentheses", "(12)=-12", "7", "(100)=-100"),
  notation("euros", "12 €=12", "7,50 €=7.5", "100 €=100"),
  notation("a real minus sign", "−5=-5", "3", "−12=-12"),
];

/** Every reading is possible: a person is asked, or the column stays text. */
function ambiguous(name: string, delimiter: string, cells: readonly string[], ...meanings: string[][]): DoorFile {
  const place = text("place", ...cells.map((_, at) => `P${at}`));
  const readings = meanings.map((means) => asked(/pop/i, [place, { ...number("pop", ...means), cells }]));
  const publish: Expected[] = [
    read([place, text("pop", ...cells)]),
    ...meanings.map((means) => read([place, { ...number("pop", ...means), cells }])),
    refused(/"pop"/, /type/i),
  ];
  return {
    name,
    file: "p.csv",
    bytes: lines(`place${delimiter}pop`, ...cells.map((cell, at) => `P${at}${delimiter}${cell}`)),
    publish: [...publish],
    recipe: [...readings, asked(/pop/i, [place, text("pop", ...cells)])],
  };
}

const DOTS = ["1.234", "12.500", "900.125"] as const;

const AMBIGUOUS: readonly DoorFile[] = [
  ambiguous("dots before three digits beside ;", ";", DOTS, ["1234", "12500", "900125"], [...DOTS]),
  ambiguous(
    "commas before three digits beside ;",
    ";",
    ["1,234", "12,500", "900,125"],
    ["1234", "12500", "900125"],
    [...DOTS],
  ),
  ambiguous(
    "commas before three digits beside tabs",
    "\t",
    ["1,234", "12,500", "900,125"],
    ["1234", "12500", "900125"],
    [...DOTS],
  ),
  ambiguous(
    "commas before three digits beside |",
    "|",
    ["1,234", "12,500", "900,125"],
    ["1234", "12500", "900125"],
    [...DOTS],
  ),
  {
    name: "dots before three digits beside commas are decimals",
    file: "p.csv",
    bytes: lines("place,value", "A,1.234", "B,12.500", "C,900.125"),
    ...both(read([text("place", "A", "B", "C"), number("value", "1.234", "12.500", "900.125")])),
  },
  {
    name: "dots before three digits beside ;, another column shows that commas are decimal",
    file: "p.csv",
    bytes: lines("city;pop;share", "A;1.234;0,5", "B;12.500;1,25", "C;900.125;98,25"),
    publish: [
      read([text("city", "A", "B", "C"), text("pop", ...DOTS), text("share", "0,5", "1,25", "98,25")]),
      refused(/"pop"/, /type/i),
    ],
    recipe: [
      read([
        text("city", "A", "B", "C"),
        number("pop", "1.234=1234", "12.500=12500", "900.125=900125"),
        number("share", "0,5=0.5", "1,25=1.25", "98,25=98.25"),
      ]),
      asked(/pop/i),
    ],
  },
  {
    name: "dots before three digits beside ;, another column shows that dots are decimal",
    file: "p.csv",
    bytes: lines("city;height;share", "A;1.234;0.5", "B;12.500;1.25", "C;900.125;98.25"),
    ...both(
      read([
        text("city", "A", "B", "C"),
        number("height", "1.234", "12.500", "900.125"),
        number("share", "0.5", "1.25", "98.25"),
      ]),
      asked(/height/i),
    ),
  },
  {
    name: "commas before three digits beside ;, another column shows that dots are decimal",
    file: "p.csv",
    bytes: lines("city;pop;share", "A;1,234;0.5", "B;12,500;1.25", "C;900,125;98.25"),
    publish: [
      read([
        text("city", "A", "B", "C"),
        text("pop", "1,234", "12,500", "900,125"),
        number("share", "0.5", "1.25", "98.25"),
      ]),
    ],
    recipe: [
      read([
        text("city", "A", "B", "C"),
        number("pop", "1,234=1234", "12,500=12500", "900,125=900125"),
        number("share", "0.5", "1.25", "98.25"),
      ]),
      asked(/pop/i),
    ],
  },
  {
    name: "dots before three digits beside a column whose thousands are separated by spaces",
    file: "p.csv",
    bytes: lines("city;pop;sum", "A;1.234;1 234,5", "B;12.500;12 345,25", "C;900.125;7,5"),
    publish: [
      read([text("city", "A", "B", "C"), text("pop", ...DOTS), text("sum", "1 234,5", "12 345,25", "7,5")]),
      refused(/"pop"/, /type/i),
    ],
    recipe: [asked(/"pop"/)],
  },
  {
    name: "both notations in one column",
    file: "p.csv",
    bytes: lines("id;value", "1;1,5", "2;1.5", "3;2,5", "4;2.5"),
    ...both(read([number("id", "1", "2", "3", "4"), text("value", "1,5", "1.5", "2,5", "2.5")])),
  },
];

/** Cells that are not values, among those that are. */
const COUNT = 60;
const many = (odd: string, at = COUNT - 1): string[] =>
  Array.from({ length: COUNT }, (_, row) => (row === at ? odd : String(row)));
const manySaid = (odd: string, at = COUNT - 1): Said => number("n", ...many(odd, at));

const STRANGERS: readonly DoorFile[] = [
  ...["n/a", "secret", "12 (estimated)", "1,2,3", "five"].map((odd): DoorFile => {
    const written = many(odd);
    const kept = read([number("id", ...written.map((_, at) => `${at}`)), text("n", ...written)]);
    return {
      name: `${odd} as one of sixty numbers`,
      file: "s.csv",
      bytes: lines("id;n", ...written.map((cell, at) => `${at};${cell}`)),
      publish: [kept],
      recipe: [
        kept,
        asked(new RegExp(odd.replace(/[()]/g, "\\$&")), [
          number("id", ...written.map((_, at) => `${at}`)),
          manySaid(`${odd}=`),
        ]),
        ...(odd === "n/a" ? [read([number("id", ...written.map((_, at) => `${at}`)), manySaid("n/a=")])] : []),
      ],
    };
  }),
  ...["007", "0123"].map((odd): DoorFile => {
    const written = many(odd, 3);
    return {
      name: `${odd} as one of sixty numbers`,
      file: "s.csv",
      bytes: lines("id;n", ...written.map((cell, at) => `${at};${cell}`)),
      ...both(read([number("id", ...written.map((_, at) => `${at}`)), text("n", ...written)])),
    };
  }),
  {
    name: "a fraction in the last of sixty integers",
    file: "s.csv",
    bytes: lines("id,n", ...many("0.5").map((cell, at) => `${at},${cell}`)),
    ...both(read([number("id", ...many("59")), manySaid("0.5")])),
  },
  {
    name: "an integer beyond 64 bits in the last of sixty",
    file: "s.csv",
    bytes: lines("id,n", ...many("9223372036854775808").map((cell, at) => `${at},${cell}`)),
    ...both(read([number("id", ...many("59")), manySaid("9223372036854775808")])),
  },
];

/** Tokens that say that there is no value. */
const token = (name: string, header: string, rows: string[], said: Said[], kept: Said[]): DoorFile => ({
  name,
  file: "null.csv",
  bytes: lines(header, ...rows),
  publish: [read(kept), read(said)],
  recipe: [read(said), read(kept)],
});

const NULLS: readonly DoorFile[] = [
  ...["NA", "N/A", "n/a", "NULL", "null", "-", "–", "..", ".", "…", "None", "NaN", "#N/A"].map((word) =>
    token(
      `${word} among numbers`,
      "id;n",
      ["1;5", `2;${word}`, "3;7"],
      [number("id", "1", "2", "3"), number("n", "5", `${word}=`, "7")],
      [number("id", "1", "2", "3"), { ...number("n", "5", word, "7") }],
    ),
  ),
  ...["Null", "NULL", "None", "NA", "N/A", "-", "x", "X", "*", ".", "null", "nan"].map((word): DoorFile => {
    const names = ["Doe", word, "Roe"];
    return {
      name: `${word} among words`,
      file: "null.csv",
      bytes: lines("id,name", ...names.map((name, at) => `${at},${name}`)),
      ...both(read([number("id", "0", "1", "2"), text("name", ...names)])),
    };
  }),
  {
    name: "NA, the country code of Namibia",
    file: "null.csv",
    bytes: lines("code,country", "DE,Germany", "NA,Namibia", "FR,France"),
    ...both(read([text("code", "DE", "NA", "FR"), text("country", "Germany", "Namibia", "France")])),
  },
  {
    name: "an empty cell and an empty quoted cell",
    file: "null.csv",
    bytes: lines("a,b,c", '1,,"x"', '2,"","y"', "3,z,w"),
    ...both(read([number("a", "1", "2", "3"), text("b", null, "", "z"), text("c", "x", "y", "w")])),
  },
  {
    name: "a column without a value",
    file: "null.csv",
    bytes: lines("a,b", "1,", "2,", "3,"),
    ...both(read([number("a", "1", "2", "3"), text("b", null, null, null)])),
  },
  {
    name: "yes and no",
    file: "bool.csv",
    bytes: lines("id,ok", "1,yes", "2,no", "3,yes"),
    ...both(read([number("id", "1", "2", "3"), text("ok", "yes", "no", "yes")])),
  },
  {
    name: "true and false in several spellings",
    file: "bool.csv",
    bytes: lines("id,ok", "1,true", "2,FALSE", "3,True"),
    ...both(
      read([
        number("id", "1", "2", "3"),
        { name: "ok", as: "boolean", cells: ["true", "FALSE", "True"], means: ["true", "false", "true"] },
      ]),
    ),
  },
  {
    name: "0 and 1",
    file: "bool.csv",
    bytes: lines("id,ok", "5,0", "6,1", "7,1"),
    ...both(read([number("id", "5", "6", "7"), number("ok", "0", "1", "1")])),
  },
];

/** Plain notations are proposed as numbers. */
const PROPOSED: readonly DoorFile[] = [
  {
    name: "integers, decimals and plus signs are proposed as numbers",
    file: "n.csv",
    bytes: lines("year,anomaly,level", "2001,+5,1.25", "2002,-3,2.50", "2003,+12,3.75"),
    publish: [
      read([
        number("year", "2001", "2002", "2003"),
        text("anomaly", "+5", "-3", "+12"),
        number("level", "1.25", "2.50", "3.75"),
      ]),
    ],
    recipe: [
      read([
        mustBe(number("year", "2001", "2002", "2003")),
        number("anomaly", "+5=5", "-3", "+12=12"),
        mustBe(number("level", "1.25", "2.50", "3.75")),
      ]),
    ],
  },
  {
    name: "a percentage beside text is refused or read in words",
    file: "n.csv",
    bytes: lines("id,rate", "1,5%", "2,7%", "3,n.d."),
    ...both(read([number("id", "1", "2", "3"), text("rate", "5%", "7%", "n.d.")]), refused(/rate/)),
  },
];

/** Numbers, and cells among them. */
export const NUMBER_FILES: readonly DoorFile[] = [
  ...DIGITS,
  ...NOT_NUMBERS,
  ...NOTATIONS,
  ...AMBIGUOUS,
  ...STRANGERS,
  ...NULLS,
  ...PROPOSED,
];
