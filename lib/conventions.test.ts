import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { envExample } from "./cli/env-example";
import { ERRORS } from "./kernel/errors";
import { asWords, GLOSSARY, glossaryFaults, isWorded } from "./testing/glossary";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path && existsSync(path));
const sources = files.filter((path) => /\.tsx?$/.test(path));
const code = sources.filter((path) => !/\.(?:test|spec)\.tsx?$/.test(path));
const text = (path: string) => readFileSync(path, "utf8");

/** Tests wait for events. These files may set a timer nevertheless, for the reasons given. */
const TIMERS: Readonly<Record<string, string>> = {
  "lib/publish/killed-publishings.test.ts": "kills publications at random moments",
  "lib/readers/damaged-files.test.ts": "gives up on a damaged file that is never read to its end",
  "lib/server/cluster-failures.test.ts": "a trial that kills an instance every ten seconds and lets outages last",
  "lib/server/sync.test.ts": "kills clients at random moments",
  "lib/testing/faulty-proxy.ts": "a store that sends its replies byte by byte",
  "lib/testing/instance-process.ts": "asks the instance again until it is ready",
  "lib/testing/object-store.ts": "asks the object store again until it answers",
  "lib/testing/processor-time.ts": "looks again whether the process has worked for so long",
  "lib/testing/raw-socket.ts": "a client that sends slowly, and one that listens for what should not come",
  "lib/testing/redis-server.ts": "asks Redis again until it answers",
};

describe("the house stays true", () => {
  test("a source file is one idea, whatever its length, but no idea needs more than 800 lines", () => {
    const long = code
      .filter((path) => !path.startsWith("lib/testing/door-files/"))
      .map((path) => [path, text(path).split("\n").length] as const)
      .filter(([, lines]) => lines > 801);
    expect(long).toEqual([]);
  });

  test("no line of code is longer than 120 columns, unless it cannot be broken", () => {
    const cannot = /biome-ignore|^\s*(?:: )?\/.*\/[a-z]*[,;)]*$/; // the linter's own comments, regular expressions
    const long = code.flatMap((path) =>
      text(path)
        .split("\n")
        .flatMap((line, at) => (line.length > 120 && !cannot.test(line) ? [`${path}:${at + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  test("no test title is longer than 120 columns", () => {
    const long = sources
      .filter((path) => /\.(?:test|spec)\.tsx?$/.test(path))
      .flatMap((path) =>
        text(path)
          .split("\n")
          .filter((line) => line.length > 120),
      )
      .filter((line) => /^\s*(?:test|describe)[.(]|^\s*\]\)\(["`]/.test(line));
    expect(long).toEqual([]);
  });

  test("no test waits for time to pass without a stated reason", () => {
    const tests = sources.filter((path) => /\.(?:test|spec)\.tsx?$|^(?:e2e|lib\/testing)\//.test(path));
    const timer = /\bwaitForTimeout\(|(?<![.\w])setTimeout\b|timers\/promises/;
    const own = "lib/conventions.test.ts";
    const waiting = tests.filter(
      (path) => path !== own && timer.test(text(path).replace(/\{ setImmediate \} from.*/g, "")),
    );
    expect(waiting).toEqual(Object.keys(TIMERS));
    // it gives up after a second by default; expect.poll waits for a minute
    const impatient = /\bvi\.wait(?:For|Until)\((?!.*, 60_000\))/;
    expect(tests.filter((path) => path !== own && impatient.test(text(path)))).toEqual([]);
  });

  test("every import of JSON declares its type, as Node and the browser tests' runner require", () => {
    const untyped = sources.filter((path) => /^import [^;]*\.json";/m.test(text(path)));
    expect(untyped).toEqual([]);
  });

  test("every error code is thrown somewhere", () => {
    const lists = /(?:errors: |const [A-Z_]+[^=\n]* = (?:new Set\()?)\[[^\]]*\]/g; // naming a code is not throwing it
    const all = code
      .filter(
        (path) =>
          /^(?:lib|app)\//.test(path) && path !== "lib/kernel/errors.ts" && !/^lib\/(?:docs|testing)\//.test(path),
      )
      .map((path) => text(path).replace(lists, ""))
      .join("\n");
    const unthrown = Object.keys(ERRORS).filter((name) => !all.includes(`"${name}"`));
    expect(unthrown).toEqual([]);
  });

  test(".env.example is up to date", () => {
    expect(text(".env.example")).toBe(envExample());
  });

  test("every path named by a README, a guide, CONTRIBUTING.md or SECURITY.md exists", () => {
    const readmes = files.filter((path) =>
      /(^|\/)README\.md$|^docs\/[a-z]+\.md$|^(CONTRIBUTING|SECURITY)\.md$/.test(path),
    );
    const named = readmes.flatMap((readme) =>
      [...text(readme).matchAll(/`((?:app|components|lib|prisma|e2e|bench|public|\.ci)\/[A-Za-z0-9_./[\]-]+)`/g)].map(
        ([, path = ""]) => ({ readme, path }),
      ),
    );
    const missing = named.filter(({ readme, path }) => !existsSync(path) && !existsSync(join(dirname(readme), path)));
    expect(missing).toEqual([]);
    const own = readmes.flatMap((readme) =>
      [...text(readme).matchAll(/`([A-Za-z0-9_-]+(?:\/[A-Za-z0-9_.-]+)*\.tsx?)`/g)].map(([, path = ""]) => ({
        readme,
        path,
      })),
    );
    const unknown = own.filter(({ path }) => !files.some((file) => `/${file}`.endsWith(`/${path}`)));
    expect(unknown).toEqual([]);
  });

  test("the README is short, and its links lead somewhere", () => {
    const readme = text("README.md");
    expect(readme.split("\n").length).toBeLessThanOrEqual(120);
    const linked = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = ""]) => path);
    expect(linked.filter((path) => !existsSync(path))).toEqual([]);
    expect(linked.length).toBeGreaterThan(10);
  });

  test("the pictures in docs/screenshots are those that the README shows", () => {
    const shown = [...text("README.md").matchAll(/\((docs\/screenshots\/[^)]+)\)/g)].map(([, path]) => path);
    expect(files.filter((path) => path.startsWith("docs/screenshots/")).sort()).toEqual(shown.sort());
  });

  test("no folder hides its files behind an index file", () => {
    expect(sources.filter((path) => /(^|\/)(index|utils|helpers|common|misc|types)\.tsx?$/.test(path))).toEqual([]);
  });

  test("text, comments, identifiers and file names use the terms of the glossary", () => {
    const worded = files.filter(isWorded);
    expect(worded.flatMap((path) => glossaryFaults(path, `${path.replaceAll("/", " / ")}\n${text(path)}`))).toEqual([]);
  });

  test.each(GLOSSARY)("the glossary finds what is called $but, and nothing else", ({ not, example, allowed }) => {
    expect(asWords(example)).toMatch(not);
    if (allowed) expect(asWords(allowed)).not.toMatch(not);
  });
});
