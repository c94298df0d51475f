import { describe, expect, test } from "vitest";
import { programName } from "./readable-name";

const REDIRECT = "https://agent.example.com/callback";

describe("names that imitate ours, or another's by letters of another script, are rejected", () => {
  for (const name of [
    "Parquetry",
    "PARQUETRY support",
    "P a r q u e t r y",
    "Par\u200bquetry",
    "Раrquеtrу", // Cyrillic Р, а, е, у
    "ρarquetry",
    "Parquétry",
    "Ｐａｒｑｕｅｔｒｙ",
    "P4rqu3try",
    "Par-que-try",
    "Сlaude", // Cyrillic С
    "ChatGРT",
    "Cursοr", // Greek ο
  ])
    test(name, () => expect(programName(name, REDIRECT)).toBe("agent.example.com"));
});

describe("other names are kept, in any script", () => {
  for (const name of [
    "Claude",
    "Visual Studio Code",
    "Агент Смит",
    "データ探偵",
    "Ελληνικός βοηθός",
    "وكيل",
    "Zoë’s agent",
    '<b>bold</b> & "quoted"',
    "Parquet reader",
  ])
    test(name, () => expect(programName(name, REDIRECT)).toBe(name));
});

test("a name is one short line in one direction, without lone surrogates", () => {
  expect(programName("a\r\nb\u2028c\td", REDIRECT)).toBe("abcd");
  expect(programName("evil\u202Etxt.exe\u2066\u200f", REDIRECT)).toBe("eviltxt.exe");
  expect(programName(`Z${"\u0335".repeat(50)}algo`, REDIRECT)).toBe("Z\u0335\u0335\u0335algo");
  expect([...programName("😀".repeat(500), REDIRECT)]).toEqual(Array.from({ length: 100 }, () => "😀"));
  for (const empty of ["", " \u200b\u2060", "\u3164", "\ud800"])
    expect(programName(empty, REDIRECT)).toBe("agent.example.com");
  expect(programName("", "cursor://anysphere.cursor-mcp/oauth/callback")).toBe("anysphere.cursor-mcp");
});
