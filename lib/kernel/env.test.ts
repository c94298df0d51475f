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

test.each([
  ["LIMIT_KEY_DAY", "2147483648"],
  ["QUERY_TIMEOUT_MS", "2147483648"],
  ["STORAGE_SECONDS", "2147484"],
  ["BUILD_SECONDS_FULL", "85801"],
  ["UPLOAD_DAYS", "36501"],
])("%s rejects %s, with which waits, counts and dates would fail while the service runs", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(`${name}: Too big`);
  expect(readSettings({ [name]: String(Number(value) - 1) })).toMatchObject({ [name]: Number(value) - 1 });
});

test("source snapshots have some room, since nothing on the web can be read without", () => {
  expect(() => readSettings({ SNAPSHOT_MB: "0" })).toThrow("SNAPSHOT_MB: Too small");
});

test("amounts of bytes may be larger", () => {
  expect(readSettings({ BUILD_BYTES_DAY: String(2 ** 45) }).BUILD_BYTES_DAY).toBe(2 ** 45);
});

test.each([
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_SECRET", "GOOGLE_CLIENT_ID"],
  ["STRIPE_SECRET_KEY", "STRIPE_PRICE_ID"],
])("%s without %s is rejected, because it would have no effect", (name, missing) => {
  expect(() => readSettings({ [name]: "x" })).toThrow(`${missing}: required with ${name}`);
});
