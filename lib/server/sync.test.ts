import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as after } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { npmClient, pythonClient } from "@/lib/openapi/clients";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { callCommand } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { compilePackage } from "@/lib/testing/packed-program";
import { propertyParameters, trialRuns } from "@/lib/testing/property";
import { numbersFrom } from "@/lib/testing/seeded-numbers";
import { type Listener, startListener } from "./listener";

useTestState({ LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000", ROWS_KEY: "500" });
const folder = mkdtempSync(join(tmpdir(), "parquetry-sync-"));
const ROWS = 3000;
let listener: Listener;
/** Called before each request is answered. */
let asked: () => void = () => undefined;
let key = "";
/** Tables by their datasets, and the ids of their versions. */
const published: Record<string, string[]> = {};

/** The row of an id in a version of the table that the tests follow, as text; undefined if it is not there. */
function rowOf(version: number, id: number): string | undefined {
  if (id < (version - 1) * 40) return undefined; // each version has lost the first rows
  const turn = id % 5 < version - 1 ? version : 1; // and changed some
  const word = id % 7 === 0 ? "" : `word "${id % 11}, ${turn}"`;
  const big = 18446744073709551000n + BigInt(id % 600) + BigInt(turn);
  return [
    id,
    big,
    `${id}.${turn}0`,
    `2024-02-${10 + turn}`,
    id % 13 === 0 ? "NaN" : id + turn / 4,
    `"${word.replaceAll('"', '""')}"`,
  ].join(",");
}

const HEAD = "id,big,price,day,x,word";
const csvOf = (version: number): string => {
  const rows = Array.from({ length: ROWS + version * 100 }, (_, id) => rowOf(version, id));
  return `${HEAD}\n${rows.filter((row) => row !== undefined).join("\n")}\n`;
};

async function run(...args: string[]) {
  const { code, stdout, stderr } = await callCommand(...args, "--json");
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function publish(dataset: string, csv: string, ...more: string[]): Promise<void> {
  const file = join(folder, "rows.csv");
  writeFileSync(file, csv);
  const texts = published[dataset] ? [] : ["--title", "D", "--publisher", "P", "--license", "MIT"];
  const { version_id } = await run("publish", file, "--dataset", dataset, "--table", "t", ...texts, ...more);
  published[dataset] = [...(published[dataset] ?? []), version_id];
}

beforeAll(async () => {
  key = (await createUseKey({ email: "reader@example.com", name: "sync" }, new Date())).key;
  const columns = { price: "decimal(9,2)", x: "float64", big: "uint64" };
  const list = Object.entries(columns).map(([name, type]) => ({ name, type }));
  writeFileSync(join(folder, "columns.json"), JSON.stringify(list));
  const types = ["--columns", join(folder, "columns.json")];
  for (const version of [1, 2, 3]) await publish("followed", csvOf(version), "--primary-key", "id", ...types);
  await publish("keyless", "a\nx\nx\n");
  await publish("keyless", "a\nx\ny\n");
  await publish("widened", "id\n1\n", "--primary-key", "id");
  await publish("widened", "id,b\n1,x\n", "--primary-key", "id");
  await publish("rekeyed", "id,b\n1,x\n2,y\n", "--primary-key", "id");
  await publish("rekeyed", "id,b\n1,x\n1,y\n", "--primary-key", "id,b");
  const wide = Array.from({ length: 501 }, (_, column) => `c${column}`);
  await publish("wide", `${wide.join(",")}\n${wide.join(",")}\n`);
  await publish("gone", "id\n1\n2\n", "--primary-key", "id");
  await publish("gone", "id\n1\n3\n", "--primary-key", "id");
  listener = await startListener({
    door: {
      ...{ serves, takesFile, methods },
      handle: (...given) => {
        asked();
        return handle(...given);
      },
    },
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", settings: { PARQUETRY_TRUSTED_PROXIES: [] } },
    logger: pino({ level: "silent" }),
  });
  await compilePackage();
  writeFileSync(join(folder, "parquetry.py"), pythonClient(listener.url));
  writeFileSync(join(folder, "client.tgz"), npmClient(listener.url));
  execFileSync("tar", ["-xzf", "client.tgz"], { cwd: folder });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
});

afterAll(async () => {
  await listener.close(1_000);
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

const PYTHON =
  "import json, sys; from parquetry import *; name, path, version = sys.argv[1:]; " +
  "print(json.dumps(Parquetry().table(name).sync(path, version or None)))";
const JAVASCRIPT = `import { Parquetry } from "./package/parquetry.mjs"; const [name, path, version] = process.argv.slice(1);
console.log(JSON.stringify(await (await new Parquetry().table(name)).sync(path, { version: version || undefined })));`;

const CLIENTS = {
  Python: ["/usr/bin/python3", "-c", PYTHON],
  JavaScript: [process.execPath, "--input-type=module", "-e", JAVASCRIPT],
} as const;
type Client = keyof typeof CLIENTS;

const hasDuckDB =
  spawnSync("/usr/bin/python3", ["-c", "import duckdb"], {
    env: { NODE_ENV: "test" },
  }).status === 0;
const COPIES = [
  ...([
    ["Python", "sqlite"],
    ["JavaScript", "sqlite"],
    ["JavaScript", "duckdb"],
  ] as const),
  ...(hasDuckDB ? ([["Python", "duckdb"]] as const) : []),
] as const;

const start = (client: Client, dataset: string, file: string, version = "") => {
  const [program, ...args] = CLIENTS[client];
  const options = {
    cwd: folder,
    env: { NODE_ENV: "test", PARQUETRY_KEY: key } as const,
  };
  return spawn(program, [...args, `${dataset}/t`, file, version], options);
};

async function sync(client: Client, dataset: string, file: string, version = "") {
  const child = start(client, dataset, file, version);
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise((ended) => child.once("close", ended));
  if (code !== 0) throw new Error(err);
  const { changes, whole } = JSON.parse(out);
  return [changes, whole];
}

/** The version that a copy says it has, and its rows as text. */
async function copyOf(file: string): Promise<{ version: string; rows: string[] }> {
  const path = join(folder, file);
  const cells = "concat(id, ',', big, ',', price, ',', day, ',', x, ',', coalesce(word, '-'))";
  const statements = ["SELECT version_id FROM parquetry", `SELECT ${cells} FROM data ORDER BY id`] as const;
  if (file.endsWith(".sqlite")) {
    const database = new DatabaseSync(path);
    const [[version = ""] = [], rows = []] = statements.map((sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => String(Object.values(row)[0])),
    );
    database.close();
    return { version, rows };
  }
  return await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    await connection.run(`ATTACH '${path}' AS copy`);
    await connection.run("USE copy");
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map(([cell]) => String(cell));
    const [version = ""] = await read(statements[0]);
    const rows = await read(statements[1]);
    await connection.run("USE memory");
    await connection.run("DETACH copy");
    return { version, rows };
  });
}

/** The rows of a version as copies of that kind have them. */
const expected = (version: number, file: string): string[] =>
  csvOf(version)
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [id, big, price, day, x = "", ...word] = line.split(",");
      const text = word.join(",").slice(1, -1).replaceAll('""', '"');
      const float =
        x === "NaN" ? (file.endsWith(".duckdb") ? "nan" : "NaN") : Number.isInteger(Number(x)) ? `${x}.0` : x;
      return [id, big, price, day, float, text].join(",");
    });

const versionsOf = (dataset: string) => published[dataset] ?? [];

describe.each(COPIES)("a copy of the %s client as %s", (client, kind) => {
  const file = `${client}.${kind}`;

  if (kind === "sqlite")
    test("stays open for others while changes arrive", async () => {
      const [one = "", two = ""] = versionsOf("followed");
      await sync(client, "followed", `open-${file}`, one);
      let tries = 0;
      asked = () => {
        tries += 1;
        const other = new DatabaseSync(join(folder, `open-${file}`));
        other.exec("BEGIN IMMEDIATE; ROLLBACK"); // fails at once if it is locked
        other.close();
      };
      try {
        expect((await sync(client, "followed", `open-${file}`, two))[1]).toBeNull();
      } finally {
        asked = () => undefined;
      }
      expect(tries).toBeGreaterThan(3); // the schema, the number of changes and several pages
    });

  test("follows the versions forward and back by their changes, with all values", async () => {
    const [one = "", two = "", three = ""] = versionsOf("followed");
    expect(await sync(client, "followed", file, one)).toEqual([0, "there was no copy"]);
    expect((await copyOf(file)).rows).toEqual(expected(1, file));
    for (const [version, id] of [
      [2, two],
      [3, three],
      [1, one],
      [3, ""],
    ] as const) {
      const [changes, whole] = await sync(client, "followed", file, id);
      expect([changes > 500, whole]).toEqual([true, null]);
      expect(await copyOf(file)).toEqual({
        version: versionsOf("followed")[version - 1],
        rows: expected(version, file),
      });
    }
    expect(await sync(client, "followed", file)).toEqual([0, null]);
  });

  test("reads all rows where there is no key, or columns have changed", async () => {
    for (const dataset of ["keyless", "widened"])
      await sync(client, dataset, `${dataset}-${file}`, versionsOf(dataset)[0]);
    expect(await sync(client, "keyless", `keyless-${file}`)).toEqual([0, "the table has no key"]);
    expect(await sync(client, "widened", `widened-${file}`)).toEqual([0, "the columns have changed"]);
    await sync(client, "rekeyed", `rekeyed-${file}`, versionsOf("rekeyed")[0]);
    expect(await sync(client, "rekeyed", `rekeyed-${file}`)).toEqual([0, "the key has changed"]);
    expect(await sync(client, "rekeyed", `rekeyed-${file}`)).toEqual([0, null]);
  });

  test("reads all rows if somebody has changed them, and touches no other database", async () => {
    const other = `other-${file}`;
    await sync(client, "widened", other);
    await expect(sync(client, "followed", other)).rejects.toThrow("is not a copy of this table");
    await edit(file, "DELETE FROM data WHERE id % 100 = 7");
    expect(await sync(client, "followed", file)).toEqual([
      0,
      expect.stringMatching(/^the copy has \d+ rows instead of/),
    ]);
    await edit(file, "DELETE FROM data WHERE id = 1001"); // which version 1 has otherwise
    const [one = ""] = versionsOf("followed");
    expect(await sync(client, "followed", file, one)).toEqual([0, "a row that has changed is not in the copy"]);
    expect((await copyOf(file)).rows).toEqual(expected(1, file));
    await edit(file, "INSERT INTO data (id) VALUES (3150)"); // which version 2 has
    expect(await sync(client, "followed", file, versionsOf("followed")[1])).toEqual([
      ...[0, expect.stringMatching(/^a new row is in the copy already|^the copy has \d+ rows instead of/)],
    ]);
    expect(left(file)).toEqual([file]);
  });

  test("leaves the files of others, folders called word=1 and links as they are", async () => {
    const home = mkdtempSync(join(folder, "word="));
    const [copy, link] = [join(home, `copy.${kind}`), join(home, `link.${kind}`)];
    symlinkSync(copy, link);
    const digits = "0123456789abcdef";
    const others = ["partners.csv", "part", `${digits}.part.csv`, `${digits}.parts`].map(
      (end) => `copy.${kind}.${end}`,
    );
    for (const name of others) writeFileSync(join(home, name), "mine");
    for (const end of ["part", "part-journal", "part.parquet", `part.parquet.${digits}.part`])
      writeFileSync(`${copy}.ffffffffffffffff.${end}`, "left");
    await sync(client, "followed", copy, versionsOf("followed")[0]);
    expect((await sync(client, "followed", link))[1]).toBeNull();
    expect((await copyOf(relative(folder, copy))).rows).toEqual(expected(3, copy));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(home).toSorted()).toEqual([`copy.${kind}`, `link.${kind}`, ...others].toSorted());
  });

  test("does not call a damaged copy that of another table", async () => {
    const damaged = join(folder, `damaged-${file}`);
    await sync(client, "gone", damaged, versionsOf("gone")[0]);
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, bytes.fill(255, kind === "sqlite" ? 100 : 4096));
    const refusal = sync(client, "gone", damaged, versionsOf("gone")[0]).catch(String);
    expect(await refusal).toMatch(/malformed|corrupt|checksum/i);
    expect(await refusal).not.toContain("is not a copy of this table");
    writeFileSync(damaged, "another kind of file, longer than the head of a database ".repeat(400));
    await expect(sync(client, "gone", damaged)).rejects.toThrow("is not a copy of this table");
    rmSync(damaged);
  });
});

async function edit(file: string, sql: string): Promise<void> {
  if (file.endsWith(".sqlite")) {
    const database = new DatabaseSync(join(folder, file));
    database.exec(sql);
    return database.close();
  }
  await withWriter({ tempDir: folder, memoryMb: 512, threads: 1 }, async (connection) => {
    for (const statement of [`ATTACH '${join(folder, file)}' AS copy`, "USE copy", sql, "USE memory", "DETACH copy"])
      await connection.run(statement);
  });
}

/** The copy and what belongs to it. */
const left = (file: string) => readdirSync(folder).filter((name) => name.startsWith(file));

test.each(["Python", "JavaScript"] as const)(
  "the %s client keeps a Parquet file that is the published one",
  async (client) => {
    const file = `${client}.parquet`;
    const [one = ""] = versionsOf("followed");
    expect(await sync(client, "followed", file, one)).toEqual([0, "a Parquet file is the published one"]);
    expect(await sync(client, "followed", file)).toEqual([0, "a Parquet file is the published one"]);
    expect(await sync(client, "followed", file)).toEqual([0, null]);
    const other = `other-${file}`;
    await sync(client, "keyless", other);
    const bytes = readFileSync(join(folder, other));
    await expect(sync(client, "followed", other)).rejects.toThrow("is not a copy of this table");
    expect(readFileSync(join(folder, other)).equals(bytes)).toBe(true);
  },
);

test.each(["Python", "JavaScript"] as const)(
  "the %s client continues only a part of the same version, and names the kind for wide tables",
  async (client) => {
    const file = `parts-${client}.sqlite`;
    const [one = ""] = versionsOf("followed");
    await expect(sync(client, "wide", file)).rejects.toThrow("Name a .duckdb file");
    for (const change of ["next_cursor = 'broken'", "table_id = 'another'", "version_id = 'another'"]) {
      await sync(client, "followed", file, one);
      await edit(file, `UPDATE parquetry SET ${change}`);
      await edit(file, "DELETE FROM data");
      const database = new DatabaseSync(join(folder, file));
      const { digest } = database.prepare("SELECT substr(content_digest, 8, 16) AS digest FROM parquetry").get() ?? {};
      database.close();
      renameSync(join(folder, file), join(folder, `${file}.${digest}.part`));
      expect(await sync(client, "followed", file, one)).toEqual([0, "there was no copy"]);
      expect((await copyOf(file)).rows).toEqual(expected(1, file));
    }
    expect(left(file)).toEqual([file]);
  },
);

test.each(["Python", "JavaScript"] as const)(
  "the %s client lets one process at a time change a copy",
  async (client) => {
    const file = `locked-${client}.sqlite`;
    const lock = join(folder, `${file}.lock`);
    for (const holder of [`${process.pid} ${hostname()}`, "1 another-computer", "somebody's notes"]) {
      writeFileSync(lock, holder);
      await expect(sync(client, "followed", file)).rejects.toThrow("Another sync of");
      expect(readFileSync(lock, "utf8")).toBe(holder);
    }
    const { pid } = spawnSync(process.execPath, ["--version"]);
    // an ended process, and one that was killed before it had written its number
    for (const holder of [`${pid} ${hostname()}`, ""]) {
      writeFileSync(lock, holder);
      expect((await sync(client, "followed", file))[0]).toBe(0);
    }
    expect(left(file)).toEqual([file]);
  },
);

test("a version that was withdrawn since is replaced by all rows", async () => {
  const [withdrawn = ""] = versionsOf("gone");
  for (const [client, kind] of COPIES) await sync(client, "gone", `gone-${client}.${kind}`, withdrawn);
  await run("version", "withdraw", withdrawn, "--reason", "Wrong rows.");
  for (const [client, kind] of COPIES)
    expect(await sync(client, "gone", `gone-${client}.${kind}`)).toEqual([
      ...[0, "there are no changes since its version (version_withdrawn)"],
    ]);
});

test("killed at any moment, a copy is one version as a whole, and the next call brings it up to date", async () => {
  const draw = numbersFrom(propertyParameters(1).seed);
  for (const [client, kind] of COPIES) {
    const file = `killed-${client}.${kind}`;
    const begun = performance.now();
    await sync(client, "followed", file, versionsOf("followed")[0]);
    const usualMs = performance.now() - begun;
    if (draw() < 0.5) rmSync(join(folder, file));
    for (let kill = 0; kill < trialRuns("SYNC_KILLS", 5); kill += 1) {
      const target = versionsOf("followed")[Math.floor(draw() * 3)];
      const child = start(client, "followed", file, target);
      const ended = new Promise((done) => child.once("close", done));
      await after(draw() * usualMs * 1.2);
      child.kill("SIGKILL");
      await ended;
      if (!existsSync(join(folder, file))) continue;
      const { version, rows } = await copyOf(file);
      const number = versionsOf("followed").indexOf(version) + 1;
      expect([number > 0, rows]).toEqual([true, expected(number, file)]);
    }
    await sync(client, "followed", file);
    expect((await copyOf(file)).rows).toEqual(expected(3, file));
    expect(left(file)).toEqual([file]);
  }
});
