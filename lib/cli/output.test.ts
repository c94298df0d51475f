import { afterEach, expect, test, vi } from "vitest";
import { runCommand } from "@/lib/testing/command";
import { print, printRows, report } from "./output";

const HOSTILE = "\u001b[2J\u009b1;1HName\u0007\r\nsecond\u0085line";
let written = "";
for (const stream of [process.stdout, process.stderr])
  vi.spyOn(stream, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
afterEach(() => {
  written = "";
});

const ways: [name: string, write: () => void][] = [
  ["a result", () => print({ browser: HOSTILE }, false)],
  ["a result as JSON", () => print({ browser: HOSTILE, deep: [{ [HOSTILE]: HOSTILE }] }, true)],
  [
    "rows",
    () =>
      printRows(
        [
          { a: HOSTILE, b: null },
          { a: "x", b: 1 },
        ],
        false,
      ),
  ],
  ["rows as JSON", () => printRows([{ a: HOSTILE }], true)],
  ["a message", () => report(`Unknown dataset: ${HOSTILE}`)],
];

test.each(ways)("%s never controls the terminal", (_name, write) => {
  write();
  expect(written).toContain("Name");
  expect(written.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

test("JSON keeps every character, as an escape", () => {
  print({ browser: HOSTILE }, true);
  expect(JSON.parse(written)).toEqual({ browser: HOSTILE });
});

test("a value with line ends stays on its own line of the table", () => {
  printRows([{ a: HOSTILE, b: 1 }], false);
  expect(written.trim().split("\n")).toHaveLength(2);
});

test("a command whose output nobody reads to its end, as by head, ends without an error", async () => {
  const line = `${process.execPath} lib/start/command-line.ts settings | true`;
  expect(await runCommand([line], {}, "shell")).toEqual({ stdout: "", stderr: "" });
});
