import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiledProgram } from "./programs";

const root = mkdtempSync(join(tmpdir(), "parquetry-programs-"));

beforeAll(() => {
  write("tsconfig.json", '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }');
  write("lib/server/main.ts", 'import { text } from "@/lib/text";\nprocess.stdout.write(text() satisfies string);\n');
  write("lib/cli/main.ts", 'import { broken } from "@/lib/text";\nbroken();\n');
  write("lib/sandbox/main.ts", "export {};\n");
  write("lib/worker/main.ts", "export {};\n");
  write("lib/worker/fill-showcase.ts", "export {};\n");
  write("lib/formats/writing-thread.ts", "export {};\n");
  write("lib/cli/remote/package.ts", "export {};\n");
  write(
    "lib/text.ts",
    'export const text = (): string => "compiled";\n\nexport function broken(): never {\n' +
      '  throw new Error("seen");\n}\n',
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const run = promisify(execFile);

test("a program runs as JavaScript without a loader, and its stack traces name the sources", async () => {
  expect((await run(process.execPath, [await compiledProgram(root, "server", "a")])).stdout).toBe("compiled");
  const failing = run(process.execPath, ["--enable-source-maps", await compiledProgram(root, "command-line", "a")]);
  await expect(failing).rejects.toMatchObject({ stderr: expect.stringContaining("lib/text.ts:4:9") });
});

test("processes that compile at once leave one complete build", async () => {
  const module = pathToFileURL(resolve("lib/start/programs.ts")).href;
  const script = `import { compiledProgram } from "${module}"; console.log(await compiledProgram("${root}", "server", "b"))`;
  const runs = [1, 2, 3].map(() => run(process.execPath, ["--input-type=module", "-e", script]));
  const paths = new Set((await Promise.all(runs)).map(({ stdout }) => stdout.trim()));
  expect([...paths]).toEqual([join(root, ".build", "b", "server.js")]);
  expect(readdirSync(join(root, ".build")).filter((name) => name.startsWith("b"))).toEqual(["b"]);
  expect(readdirSync(join(root, ".build", "b")).sort()).toEqual(
    [
      ...["command-line", "sandbox", "server", "showcase", "worker", "writing-thread"].flatMap((name) => [
        `${name}.js`,
        `${name}.js.map`,
      ]),
      ...["packed-command-line.js", "packed-licences.txt"],
    ].sort(),
  );
});

test("no compiler process remains", async () => {
  await compiledProgram(root, "server", "f");
  const compilers = async () => {
    const { stdout } = await run("ps", ["-A", "-o", "ppid=,args="]);
    const children = stdout.split("\n").filter((line) => line.trim().startsWith(`${process.pid} `));
    return children.filter((line) => line.includes("esbuild --service"));
  };
  await expect.poll(compilers).toEqual([]); // it was told to end, and does so in its own time
});

test("yesterday's builds are removed, today's are kept for the processes that run them", async () => {
  await compiledProgram(root, "server", "c");
  await compiledProgram(root, "server", "d");
  utimesSync(join(root, ".build", "c"), 0, 0);
  await compiledProgram(root, "server", "e");
  const left = readdirSync(join(root, ".build"));
  expect(left).toEqual(expect.arrayContaining(["d", "e"]));
  expect(left).not.toContain("c");
});
