import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { listObjects } from "@/lib/store/postgres/load";
import { callCommand, callCommandAt } from "@/lib/testing/command";
import { useTestState } from "@/lib/testing/database";
import { usePlaces } from "@/lib/testing/places";
import { makeBackup } from "./backup";
import { checkBackup, filesOf } from "./check";
import { readManifest } from "./manifest";

useTestState({ PARQUETRY_SECRET: "" }); // so that one is made in the data folder
const { folder, newName, emptyPlace } = usePlaces();

describe("a changed byte", () => {
  let backup = "";
  let files: string[] = [];
  beforeAll(async () => {
    for (const name of ["one", "two"]) {
      const file = join(folder, `${name}.csv`);
      writeFileSync(file, `id,name\n1,${name}\n`);
      const words = ["--dataset", name, "--table", "t", "--title", "T", "--publisher", "P", "--license", "MIT"];
      await callCommand("publish", file, ...words);
    }
    backup = (await makeBackup(newName(), { keys: true })).folder;
    files = filesOf(await readManifest(backup)).map(({ file }) => file);
  });

  /** Changes a file while `work` runs, without touching the data folder that may share its bytes. */
  async function changed(
    file: string,
    change: (bytes: Buffer) => Buffer | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    const path = join(backup, file);
    const good = readFileSync(path);
    const bad = change(Buffer.from(good));
    rmSync(path);
    if (bad) writeFileSync(path, bad);
    await work();
    rmSync(path, { force: true });
    writeFileSync(path, good);
  }

  const flip = (at: (length: number) => number) => (bytes: Buffer) => {
    const index = at(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
    return bytes;
  };

  test("in any file is found and named, as are truncated and missing files", async () => {
    expect(files.length).toBeGreaterThan(20);
    const problemsOf = async (bad: readonly string[], change: (bytes: Buffer) => Buffer | undefined) => {
      let problems: unknown[] = [];
      const work = async () => {
        problems = (await checkBackup(backup)).problems;
      };
      const nested = bad.reduce((inner, file) => () => changed(file, change, inner), work);
      await nested();
      return problems;
    };
    const [first = ""] = files;
    for (const bad of [files, files.filter((_, at) => at % 2), [first]]) {
      for (const at of [(length: number) => length - 1, (length: number) => Math.floor(Math.random() * length)])
        expect(await problemsOf(bad, flip(at))).toEqual(bad.map((file) => ({ file, problem: "damaged" })));
      const cut = await problemsOf(bad, (bytes) => bytes.subarray(1));
      expect(cut).toEqual(bad.map((file) => ({ file, problem: "damaged" })));
      expect(await problemsOf(bad, () => undefined)).toEqual(bad.map((file) => ({ file, problem: "missing" })));
    }
    expect((await checkBackup(backup)).problems).toEqual([]);
  });

  test("anywhere in the manifest or its checksum is found", async () => {
    for (const file of ["manifest.json", "manifest.json.sha256"]) {
      const { size } = statSync(join(backup, file));
      for (let at = 0; at < size; at += Math.ceil(size / 80))
        await changed(
          file,
          flip(() => at),
          async () => expect(checkBackup(backup)).rejects.toThrow(/manifest\.json/),
        );
      await changed(
        file,
        () => undefined,
        async () => expect(checkBackup(backup)).rejects.toThrow(`is not a backup: ${file} is missing`),
      );
    }
  });

  test("makes restore fail with the file's name, before anything is written", async () => {
    const table = files.find((file) => file.includes("Version")) ?? "";
    const blob = files.find((file) => file.startsWith("blobs/")) ?? "";
    for (const file of [table, blob, "keys/secret", "manifest.json"]) {
      const place = await emptyPlace();
      await changed(
        file,
        flip((length) => length >> 1),
        async () => {
          expect(await callCommandAt(place, "restore", backup)).toMatchObject({
            code: 1,
            stderr: expect.stringContaining(file),
          });
        },
      );
      expect(existsSync(place.PARQUETRY_DATA_DIR)).toBe(false);
      expect(await listObjects(place.DATABASE_URL)).toEqual([]);
    }
  });

  test("makes the check command fail with the file's name", async () => {
    const check = () => callCommand("backup", "--check", backup, "--json");
    expect(JSON.parse((await check()).stdout)).toMatchObject({ problems: [] });
    await changed(
      "keys/secret",
      flip(() => 0),
      async () => {
        const rejected = await check();
        expect(rejected).toMatchObject({ code: 1 });
        expect(JSON.parse(rejected.stdout).problems).toEqual([{ file: "keys/secret", problem: "damaged" }]);
      },
    );
  });
});
