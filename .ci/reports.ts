import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Report extends Counts {
  /** Each failure: its file and name, and the beginning of its error. */
  failures: readonly string[];
  /** How long each file took, hooks included. */
  files: readonly FileTime[];
}

export interface FileTime {
  file: string;
  seconds: number;
}

const NOTHING: Report = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] };

/** The report that file-times.ts wrote about the unit and contract tests; an empty one if they did not run. */
export const unitReport = (written: unknown): Report => (written as Report | undefined) ?? NOTHING;

interface Result {
  duration: number;
  error?: { message?: string };
  stdout?: readonly { text?: string }[];
}

interface Spec {
  title: string;
  ok: boolean;
  tests: readonly { results: readonly Result[] }[];
}

interface Suite {
  /** The title of the group of tests; for a file's own group, the file name. */
  title: string;
  file: string;
  specs: readonly Spec[];
  suites?: readonly Suite[];
}

/** The report from the output of Playwright's JSON reporter. A test that passed only on a retry counts as failed. */
export function browserReport(written: unknown): Report {
  if (!written) return NOTHING;
  const { stats, suites } = written as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    suites: readonly Suite[];
  };
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: suites.flatMap(failuresOf),
    files: suites.map((suite) => ({ file: `e2e/${suite.file}`, seconds: milliseconds(suite) / 1000 })),
  };
}

/** Begins the lines that a browser test prints about its pages when it fails. */
export const AT_FAILURE = "page at failure: ";

function failuresOf({ title: group, file, specs, suites = [] }: Suite): string[] {
  const within = group === file ? "" : `${group} › `;
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const failed = tests.flatMap(({ results }) => results).find((result) => result.error);
      const shown = (failed?.stdout ?? []).map(({ text = "" }) => text).filter((text) => text.startsWith(AT_FAILURE));
      const told = failure(`e2e/${file}`, `${within}${title}`, failed?.error?.message);
      return [told, ...shown.map((line) => line.trimEnd())].join("\n    ");
    });
  return [...own, ...suites.flatMap(failuresOf)];
}

const MESSAGE_LINES = 16;
const LINE_LETTERS = 400;

/** A failed test: one line, followed by the next lines of the error, such as the expected and the actual value. */
export function failure(file: string, title: string, message = ""): string {
  const lines = stripVTControlCharacters(message).split("\n");
  const told = lines.filter((line) => line.trim() !== "").slice(0, MESSAGE_LINES);
  const cut = told.map((line) => (line.length > LINE_LETTERS ? `${line.slice(0, LINE_LETTERS)} …` : line));
  return `${file}: ${title}: ${cut.join("\n    ")}`;
}

function milliseconds({ specs, suites = [] }: Suite): number {
  const results = specs.flatMap(({ tests }) => tests).flatMap((test) => test.results);
  return [...results.map(({ duration }) => duration), ...suites.map(milliseconds)].reduce((sum, one) => sum + one, 0);
}

/** The parsed JSON of a file; `undefined` if there is none. */
export const readReport = (path: string): unknown =>
  existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;

export function totalOf(reports: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => reports.reduce((total, report) => total + report[name], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/** The slowest files, slowest first. */
export const slowest = (files: readonly FileTime[], count: number): FileTime[] =>
  files.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
