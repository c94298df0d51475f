import { expect, test } from "vitest";
import { readSettings } from "./env";

test.each(["*", "?", "[", "]", "{", "}"])(
  "a data folder with %s in its path is rejected on start, by the setting's name",
  (sign) => {
    expect(() => readSettings({ PARQUETRY_DATA_DIR: `/srv/data${sign}x/y` })).toThrow(
      "PARQUETRY_DATA_DIR: The folder's path contains one of",
    );
  },
);

test("other names are accepted", () => {
  expect(readSettings({ PARQUETRY_DATA_DIR: "/srv/Ünïcode (1) it's, #2" }).PARQUETRY_DATA_DIR).toBe(
    "/srv/Ünïcode (1) it's, #2",
  );
});
