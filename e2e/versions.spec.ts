import { writeFileSync } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { watchPolicy } from "./policy-watch";
import { scratchFolder } from "./scratch";
import { parquetry, readerKey } from "./service";
import { test } from "./test";

function publish(csv: string, ...options: string[]) {
  const file = join(scratchFolder("versions"), "pages.csv");
  writeFileSync(file, csv);
  return JSON.parse(
    parquetry(
      "publish",
      file,
      "--dataset",
      "pages",
      "--table",
      "rows",
      "--title",
      "Pages",
      "--publisher",
      "Tests",
      "--license",
      "CC0-1.0",
      "--json",
      ...options,
    ),
  );
}

const lines = (n: number, value = "a") =>
  `id,value\n${Array.from({ length: n }, (_, i) => `${i},${value}`).join("\n")}\n`;

test("pagination remains on its version while a newer one is published, and both can be read", async ({ request }) => {
  const first = publish(lines(1000));
  expect(first).toMatchObject({ outcome: "published", change: "first", rows: 1000 });
  const { tableId } = await tableOf(request, "pages");
  const ask = async (data: object) =>
    (
      await request.post(`/api/v2/public/tables/${tableId}/query`, { data, headers: { "x-api-key": readerKey() } })
    ).json();
  const query = { columns: ["id", "value"], order_by: [{ column: "id", direction: "desc" }], limit: 300 };
  const pages = [await ask(query)];
  const second = publish(lines(1500, "b"));
  expect(second).toMatchObject({ outcome: "published", change: "restated", rows: 1500 });
  for (let cursor = pages[0].next_cursor; cursor; cursor = pages.at(-1).next_cursor)
    pages.push(await ask({ ...query, cursor }));
  const rows = pages.flatMap((page) => page.rows);
  expect(rows).toEqual(Array.from({ length: 1000 }, (_, i) => ({ id: 999 - i, value: "a" })));
  expect(new Set(pages.map((page) => page.table.version_id))).toEqual(new Set([first.version_id]));
  expect((await ask(query)).table.version_id).toBe(second.version_id);
  expect((await ask({ ...query, version_id: first.version_id })).rows[0]).toEqual({ id: 999, value: "a" });
  expect(publish(lines(1500, "b"))).toMatchObject({ outcome: "unchanged", version_id: second.version_id });
  const { versions } = await (await request.get(`/api/v2/public/tables/${tableId}/versions`)).json();
  expect(versions.map(({ change }: { change: string }) => change)).toEqual(["restated", "first"]);
});

test("one changed byte in a stored file is detected and never served", async ({ request }) => {
  publish(lines(2000), "--table", "damaged");
  const table = await tableOf(request, "pages", "damaged");
  const address = `/api/v2/public/tables/${table.tableId}/current`;
  const headers = { "x-api-key": readerKey() };
  const digest = (await request.get(address, { headers })).headers()["x-service-content-digest"]?.slice(7) ?? "";
  const path = join(process.env.PARQUETRY_E2E_DIR ?? "", "blobs", digest.slice(0, 2), `${digest}.parquet`);
  const good = await readFile(path);
  const bad = Buffer.from(good);
  bad[Math.floor(bad.length / 2)] = (bad[Math.floor(bad.length / 2)] ?? 0) ^ 1;
  await chmod(path, 0o644);
  await writeFile(path, bad);
  const rejected = await request.get(address, { headers });
  expect([rejected.status(), (await rejected.json()).error]).toEqual([502, "integrity_failure"]);
  expect(rejected.headers()["cache-control"]).toBe("no-store");
  expect((await request.get(address, { headers: { ...headers, range: "bytes=0-99" } })).status()).toBe(502);
  expect(() => parquetry("verify")).toThrow();
  await writeFile(path, good);
  expect((await request.get(address, { headers })).status()).toBe(200);
  parquetry("verify");
});

test("a page whose data fails its check says so under the same policy", async ({ page }) => {
  // not checked by anything yet
  const unlucky = publish(lines(3, crypto.randomUUID()), "--dataset", "unlucky", "--title", "Unlucky");
  const digest = unlucky.content_digest.slice(7);
  const folder = process.env.PARQUETRY_E2E_DIR ?? "";
  const path = join(folder, "blobs", digest.slice(0, 2), `${digest}.parquet`);
  await rm(join(folder, "copies", `${digest}.duckdb`), { force: true });
  const good = await readFile(path);
  const held = await watchPolicy(page);
  try {
    await chmod(path, 0o644);
    await writeFile(path, good.subarray(1));
    await page.goto("/datasets/unlucky");
    await expect(page.getByRole("heading", { name: "Integrity failure" })).toBeVisible();
  } finally {
    await writeFile(path, good);
  }
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Unlucky" })).toBeVisible();
  expect(held.filter((what) => /Policy|-src|hydrat/i.test(what))).toEqual([]);
});

test("an unknown version of the dataset is not found; a withdrawn one says so", async ({ page, request }) => {
  const about = ["--dataset", "gone", "--title", "航班 & <Gone> 🐦"];
  const shown = async (path: string) => (await request.get(path)).text();
  const old = publish("id\n1\n", ...about);
  expect(await shown("/datasets/gone")).toContain(old.version_id);
  const current = publish("id\n1\n2\n", ...about);
  expect(await shown("/datasets/gone")).toContain(current.version_id); // immediately, although pages are cached
  expect(await shown(`/datasets/gone/versions/${old.version_id}`)).toContain(old.content_digest);
  parquetry("version", "withdraw", old.version_id, "--reason", "Names of <patients>");
  expect((await page.goto(`/datasets/gone/versions/${old.version_id}`))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This version was withdrawn");
  await expect(page.getByText("This version was withdrawn: Names of <patients>.")).toBeVisible();
  const foreign = await tableOf(request, "mime-types");
  for (const id of [foreign.version_id, "latest"]) {
    expect((await page.goto(`/datasets/gone/versions/${id}`))?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No such version");
  }
  expect((await request.get("/datasets/gone/card.png")).status()).toBe(200); // whatever the script of its title
  for (const path of ["/datasets", "/datasets?q=gone"]) expect(await shown(path)).toContain('href="/datasets/gone"');
  parquetry("dataset", "visibility", "gone", "withdrawn");
  expect((await request.get("/datasets/gone")).status()).toBe(404);
  for (const path of ["/datasets", "/datasets?q=gone"])
    expect(await shown(path)).not.toContain('href="/datasets/gone"');
});

test(
  "values come back exactly: big integers, decimals, microseconds, leading zeros, empty strings, any " + "script",
  async ({ request }) => {
    const csv = [
      "id,big,amount,at,code,text",
      '1,9223372036854775807,1.50,2001-01-01T00:00:00.123456Z,007,""',
      '2,-9223372036854775808,-0.10,2001-01-01T02:00:00+02:00,000,"naïve 🚀 ""q"" ,"',
      "3,9007199254740993,99999999999999.99,1969-12-31T23:59:59.999999Z,010,",
      "",
    ].join("\n");
    const columns = join(scratchFolder("versions"), "columns.json");
    writeFileSync(
      columns,
      JSON.stringify([
        { name: "amount", type: "decimal(16,2)", unit: "EUR" },
        { name: "code", type: "string" },
      ]),
    );
    publish(csv, "--table", "exact", "--columns", columns);
    const { tableId } = await tableOf(request, "pages", "exact");
    const ask = async (data: object) =>
      (
        await request.post(`/api/public/tables/${tableId}/query`, {
          data: Buffer.from(typeof data === "string" ? data : JSON.stringify(data)),
          headers: { "content-type": "application/json" },
        })
      ).text();
    const text = await ask({ columns: ["big", "amount", "at", "code", "text"], order_by: [{ column: "id" }] });
    expect(text).toContain(
      '{"big":9223372036854775807,"amount":1.50,"at":"2001-01-01T00:00:00.123456Z","code":"007","text":""}',
    );
    expect(text).toContain(
      '{"big":-9223372036854775808,"amount":-0.10,"at":"2001-01-01T00:00:00Z","code":"000","text":"naïve 🚀 \\"q\\" ,"}',
    );
    expect(text).toContain(
      '{"big":9007199254740993,"amount":99999999999999.99,"at":"1969-12-31T23:59:59.999999Z","code":"010","text":null}',
    );
    const filter =
      '{"columns":["id"],"filters":[{"column":"big","operator":"eq","value":9007199254740993},{"column":"amount","operator":"gt","value":99999999999999.98}]}';
    expect(await ask(filter as unknown as object)).toContain('"rows":[{"id":3}]');
    expect(await ask({ columns: ["big"], int64: "string", order_by: [{ column: "id" }], limit: 1 })).toContain(
      '{"big":"9223372036854775807"}',
    );
  },
);

for (const javaScriptEnabled of [true, false])
  test(`the explorer shows a view in another version${javaScriptEnabled ? "" : ", without script"}`, async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await page.goto("/datasets/mime-types/types?filter=source:eq:iana");
    const menu = page.locator("summary").filter({ hasText: "Version" });
    await expect(menu).toContainText("1.54.0");
    await menu.click();
    const listed = page.getByRole("list", { name: "Versions" }).getByRole("link");
    await expect(listed.first()).toHaveAttribute("aria-current", "true");
    await listed.filter({ hasText: "1.50.0" }).click();
    await expect(page).toHaveURL(/\?filter=source:eq:iana&version=[0-9a-f-]{36}$/);
    await expect(page.getByText("This is an older version, 1.50.0")).toBeVisible();
    await expect(menu).toContainText("1.50.0");
    // 1.51.0 was published on 8 November 2021
    for (const [day, label] of [
      ["2021-11-07", "1.50.0"],
      ["2021-11-08", "1.51.0"],
    ] as const) {
      await menu.click();
      await page.getByLabel("As of").fill(day);
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await expect(menu).toContainText(label);
      expect(new URL(page.url()).searchParams.get("filter")).toBe("source:eq:iana");
    }
  });
