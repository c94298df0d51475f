import { expect, test } from "vitest";
import { normalizeReaderOptions } from "./reader-options";

test("options of pandas are translated", () => {
  const given = {
    sep: ";",
    encoding: "latin-1",
    na_values: ["-"],
    skiprows: 2,
    header: 0,
    decimal: ",",
    usecols: ["a"],
  };
  expect(normalizeReaderOptions("csv", given)).toEqual({
    reader: {
      format: "csv",
      options: { delimiter: ";", encoding: "windows-1252", null_tokens: ["", "-"], header: { rows: [3] } },
    },
    parse: { number: { decimal: "," } },
    remarks: [
      "The encoding latin-1 is read as windows-1252.",
      "decimal belongs in the step parse.",
      "usecols: use the step select instead.",
    ],
  });
});
test("a Frictionless dialect and JSON Lines are translated", () => {
  expect(normalizeReaderOptions("csv", { dialect: { quoteChar: "'" } }).reader.options).toEqual({ quote: "'" });
  expect(normalizeReaderOptions("json", { lines: true }).reader.format).toBe("ndjson");
});
test("the reader's own options are kept; unknown ones are reported", () => {
  const { reader, remarks } = normalizeReaderOptions("csv", { ragged: "pad", low_memory: false, delimiter: "::" });
  expect(reader.options).toEqual({ ragged: "pad" });
  expect(remarks).toEqual(expect.arrayContaining(["csv has no option low_memory.", "delimiter: Use one character."]));
});
