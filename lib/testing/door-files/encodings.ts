import iconv from "iconv-lite";
import { asked, both, bytesOf, type DoorFile, lines, number, read, refused, text } from "./door-file";

const UTF8_MARK = bytesOf(0xef, 0xbb, 0xbf);

/** Publishing takes UTF-8 only, unless it finds out what else it is. */
const NOT_UTF8 = refused(/UTF-8|UTF-16|utf-/);

/** A file in another encoding: read as it is meant, or a person is asked to compare. */
function encoded(name: string, encoding: string, places: readonly string[]): DoorFile {
  const content = `id;place\r\n${places.map((place, at) => `${at};${place}\r\n`).join("")}`;
  const rows = [number("id", ...places.map((_, at) => `${at}`)), text("place", ...places)];
  return {
    name,
    file: "e.csv",
    bytes: iconv.encode(content, encoding),
    publish: [NOT_UTF8, read(rows)],
    recipe: [read(rows), asked(/encoding/i)],
  };
}

const GERMAN = ["Zürich", "Genève", "Köln", "Düsseldorf", "Fürth", "Schwäbisch Gmünd", "Gößweinstein"];

const OTHERS: readonly DoorFile[] = [
  encoded("windows-1252, German and French", "windows-1252", GERMAN),
  encoded("windows-1252 with the euro", "windows-1252", ["5 € – „neu“", "Zürich", "Køge", "Málaga", "São Paulo"]),
  encoded("iso-8859-15, French", "iso-8859-15", ["Bœuf", "Orléans", "Béziers", "Nîmes", "Besançon"]),
  encoded("windows-1250, Polish", "windows-1250", ["Łódź", "Kraków", "Gdańsk", "Poznań", "Wrocław", "Częstochowa"]),
  encoded("iso-8859-2, Czech", "iso-8859-2", ["Plzeň", "Třebíč", "České Budějovice", "Ústí nad Labem"]),
  encoded("windows-1251, Bulgarian", "windows-1251", ["София", "Пловдив", "Варна", "Бургас", "Русе"]),
  encoded("koi8-r, Russian", "koi8-r", ["Москва", "Самара", "Казань", "Пермь", "Омск"]),
  encoded("windows-1253, Greek", "windows-1253", ["Αθήνα", "Θεσσαλονίκη", "Πάτρα", "Λάρισα"]),
  encoded("windows-1254, Turkish", "windows-1254", ["İstanbul", "Eskişehir", "Şanlıurfa", "Muğla"]),
  encoded("macintosh", "macintosh", ["Zürich", "Genève", "Köln"]),
  encoded("cp850", "cp850", ["Zürich", "Genève", "Düsseldorf"]),
  encoded("Shift_JIS", "shift_jis", ["東京都", "大阪府", "表示", "北海道", "ソウル"]),
  encoded("EUC-JP", "euc-jp", ["東京都", "大阪府", "北海道", "福岡県"]),
  encoded("GB18030", "gb18030", ["北京市", "上海市", "广州市", "深圳市"]),
  encoded("Big5", "big5", ["臺北市", "高雄市", "臺中市", "臺南市"]),
  encoded("EUC-KR", "euc-kr", ["서울", "부산", "대구", "인천"]),
];

const PLACES = ["Zürich", "Łódź", "東京 🗼"];
const ROWS = [number("id", "0", "1", "2"), text("place", ...PLACES)];
const CONTENT = `id,place\r\n${PLACES.map((place, at) => `${at},${place}\r\n`).join("")}`;

const MARKED: readonly DoorFile[] = [
  {
    name: "UTF-8 with a mark",
    file: "e.csv",
    bytes: Buffer.concat([UTF8_MARK, Buffer.from(CONTENT)]),
    ...both(read(ROWS)),
  },
  {
    name: "UTF-16, little end first, with a mark",
    file: "e.csv",
    bytes: Buffer.concat([bytesOf(0xff, 0xfe), Buffer.from(CONTENT, "utf16le")]),
    publish: [NOT_UTF8, read(ROWS)],
    recipe: [read(ROWS)],
  },
  {
    name: "UTF-16, big end first, with a mark",
    file: "e.csv",
    bytes: Buffer.concat([bytesOf(0xfe, 0xff), Buffer.from(CONTENT, "utf16le").swap16()]),
    publish: [NOT_UTF8, read(ROWS)],
    recipe: [read(ROWS)],
  },
  {
    name: "UTF-16 without a mark",
    file: "e.csv",
    bytes: Buffer.from("id,place\n0,Bern\n1,Genf\n", "utf16le"),
    publish: [refused(/UTF-8|UTF-16|NUL|utf-/i), read([number("id", "0", "1"), text("place", "Bern", "Genf")])],
    recipe: [read([number("id", "0", "1"), text("place", "Bern", "Genf")])],
  },
  {
    name: "a UTF-8 mark before a quoted name with a comma",
    file: "e.csv",
    bytes: Buffer.concat([UTF8_MARK, lines('"last, first",n', '"Doe, Jane",1', '"Roe, Rick",2')]),
    ...both(read([text("last, first", "Doe, Jane", "Roe, Rick"), number("n", "1", "2")])),
  },
];

const LINES = Array.from({ length: 40 }, (_, at) => `${at},name ${at}`);

const DAMAGED: readonly DoorFile[] = [
  {
    name: "one byte of windows-1252 in a file of UTF-8",
    file: "e.csv",
    bytes: Buffer.concat([lines("id,place", "0,Zürich", "1,東京"), bytesOf("2,M", 0xfc, "nchen\n3,Bern\n")]),
    publish: [refused(/UTF-8/i, /line 4/i)],
    recipe: [asked(/encoding/i), refused(/utf-8/i, /row 4|line 4/i)],
  },
  {
    name: "a byte that is not UTF-8 in the last line",
    file: "e.csv",
    bytes: Buffer.concat([lines("id,name", ...LINES, "40,Zürich", "41,東京"), bytesOf("42,", 0xff, "\n")]),
    publish: [refused(/UTF-8/i, /line 44/i)],
    recipe: [asked(/encoding/i), refused(/utf-8/i, /row 44|line 44/i)],
  },
  {
    name: "a character cut off at the end",
    file: "e.csv",
    bytes: Buffer.concat([lines("id,name", "0,a", "1,Zürich"), bytesOf("2,", 0xe6, 0x9d)]),
    publish: [refused(/UTF-8/i)],
    recipe: [asked(/encoding/i), refused(/utf-8/i, /row 4|line 4/i)],
  },
  {
    name: "a NUL byte within text",
    file: "e.csv",
    bytes: bytesOf("id,name\n0,a\n1,b", 0, "c\n2,d\n"),
    publish: [
      read([number("id", "0", "1", "2"), text("name", "a", "b\0c", "d")]),
      refused(/NUL|UTF-8|control/i, /line 3|row 3/i),
    ],
    recipe: [
      read([number("id", "0", "1", "2"), text("name", "a", "b\0c", "d")]),
      refused(/NUL/i, /row 3|line 3|check the url|convert/i),
    ],
  },
  {
    name: "a replacement character that the file has",
    file: "e.csv",
    bytes: lines("id,name", "0,M\ufffdnchen", "1,b"),
    ...both(read([number("id", "0", "1"), text("name", "M\ufffdnchen", "b")])),
  },
  {
    name: "accents composed and decomposed stay different",
    file: "e.csv",
    bytes: lines("id,name", "0,e\u0301", "1,\u00e9", "2,\u200bx"),
    ...both(read([number("id", "0", "1", "2"), text("name", "e\u0301", "\u00e9", "\u200bx")])),
  },
  {
    name: "a binary file named csv",
    file: "e.csv",
    bytes: Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 167 + 13) % 256)),
    publish: [refused(/UTF-8|UTF-16|NUL|binary/i)],
    recipe: [refused(/./)],
  },
  {
    name: "only NUL bytes",
    file: "e.csv",
    bytes: Buffer.alloc(300),
    publish: [refused(/NUL|UTF-|name|binary/i)],
    recipe: [refused(/./)],
  },
  {
    name: "an empty file",
    file: "e.csv",
    bytes: Buffer.alloc(0),
    ...both(refused(/empty/i)),
  },
  {
    name: "only a byte order mark",
    file: "e.csv",
    bytes: UTF8_MARK,
    ...both(refused(/empty|blank|header|name/i)),
  },
  {
    name: "only ends of lines",
    file: "e.csv",
    bytes: Buffer.from("\n\n\n"),
    ...both(refused(/empty|blank|header|name|row/i)),
  },
];

/** Bytes that become text. */
export const ENCODING_FILES: readonly DoorFile[] = [...OTHERS, ...MARKED, ...DAMAGED];
