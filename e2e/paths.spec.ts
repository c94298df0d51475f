// `npm run trial -- paths` does every task by all hands, with times and screenshots in PATHS_DIR; without that
// variable, a few tasks of each person, by one of the hands each.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, expect } from "@playwright/test";
import { BrowserPerson } from "./browser-person";
import { HANDS, type Hands } from "./hands";
import { ENGINEER } from "./paths/engineer";
import { JOURNALIST } from "./paths/journalist";
import { OWNER } from "./paths/owner";
import { RESEARCHER } from "./paths/researcher";
import { type Path, type Task, Visit } from "./paths/visit";
import { test } from "./test";

interface Done {
  person: string;
  hands: string;
  at: number;
  wish: string;
  steps: readonly string[];
  seconds: number;
  actions: number;
  picture: string;
  /** Why it failed. */
  fault?: string;
}

const FOLDER = process.env.PATHS_DIR && resolve(process.env.PATHS_DIR);
const PATHS: readonly Path[] = [JOURNALIST, RESEARCHER, ENGINEER, OWNER];

/** Only stops steps that cannot succeed, so that the visit goes on. */
const STEP_MAX = FOLDER ? 60_000 : 600_000;

const [mouse, keyboard, finger] = HANDS as [Hands, Hands, Hands];
const scriptless: Hands = {
  ...mouse,
  name: "without JavaScript",
  device: { ...mouse.device, javaScriptEnabled: false },
};
/** All tasks are possible by the first three, those for reading also without script. */
const ALL: readonly Hands[] = [mouse, finger, keyboard, scriptless];

const isFor = (task: Task, hands: Hands): boolean => {
  if (task.onlyBy && !task.onlyBy.includes(hands.name)) return false;
  return hands !== scriptless || task.isScriptless === true;
};

if (FOLDER) {
  for (const path of PATHS)
    for (const hands of ALL) {
      const tasks = path.tasks.filter((task) => isFor(task, hands));
      if (tasks.length > 0)
        test(`${path.person}: ${hands.name}`, async ({ browser }) => {
          const finished = await doAll(browser, path, hands, tasks, FOLDER);
          writeFileSync(join(FOLDER, `${path.person}, ${hands.name}.json`), JSON.stringify(finished, null, 2));
          writeFileSync(join(FOLDER, "README.md"), report(FOLDER));
          process.stdout.write(linesOf(finished));
          expect(finished.flatMap(({ wish, fault }) => (fault ? [`${wish}\n${fault}`] : []))).toEqual([]);
        });
    }
} else {
  for (const [at, path] of PATHS.entries()) {
    const hands = ALL[at % 3] ?? mouse;
    test(`${path.person}: ${hands.name}`, async ({ browser }) => {
      const tasks = path.tasks.filter((task) => task.isSeed && isFor(task, hands));
      expect(tasks.length).toBeGreaterThan(0);
      const visit = await arrive(browser, path, hands);
      for (const task of tasks) await test.step(task.wish, () => doTask(visit, task));
    });
  }
}

async function arrive(browser: Browser, path: Path, hands: Hands): Promise<Visit> {
  const person = path.isSignedIn
    ? await BrowserPerson.signedIn(browser, path.person, hands.device)
    : await BrowserPerson.arrive(browser, path.person, hands.device);
  const visit = new Visit(person, hands);
  await path.prepare?.(visit);
  return visit;
}

async function doTask(visit: Visit, { steps }: Task): Promise<void> {
  for (const [words, act] of steps) await test.step(words, () => act(visit), { timeout: STEP_MAX });
}

/** Does tasks in their order. After a fault, only those that do not continue from it. */
async function doAll(browser: Browser, path: Path, hands: Hands, tasks: readonly Task[], folder: string) {
  mkdirSync(folder, { recursive: true });
  const visit = await arrive(browser, path, hands);
  const finished: Done[] = [];
  for (const task of tasks) {
    const at = path.tasks.indexOf(task) + 1;
    const picture = `${path.person}-${String(at).padStart(2, "0")}-${hands.name.replaceAll(/\W+/g, "-")}.png`;
    const [began, actions] = [performance.now(), visit.actions];
    const fault = await doTask(visit, task).then(() => undefined, String);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    await visit.page.screenshot({ path: join(folder, picture) });
    const { person } = path;
    const steps = task.steps.map(([words]) => words);
    const done = { person, hands: hands.name, at, wish: task.wish, steps, seconds, actions: visit.actions - actions };
    finished.push({ ...done, picture, ...(fault && { fault }) });
    if (fault && path.isChained) break;
  }
  return finished;
}

const linesOf = (finished: readonly Done[]): string =>
  finished
    .map(({ person, hands, wish, seconds, actions, fault }) =>
      [
        person.padEnd(12),
        hands.padEnd(20),
        `${seconds} s`.padStart(8),
        `${actions}`.padStart(3),
        fault ? "FAILED" : "",
        wish,
      ]
        .join("  ")
        .concat("\n"),
    )
    .join("");

/** Everything finished into this folder so far: steps, times and pictures, for people to look at. */
function report(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const all: Done[] = files.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  const sections = PATHS.flatMap(({ person, tasks }) => [
    `## As ${person}\n`,
    ...tasks.flatMap((task, index) => {
      const finished = all.filter((one) => one.person === person && one.at === index + 1);
      const rows = finished.map(
        ({ hands, seconds, actions, picture, fault }) =>
          `| ${hands} | ${seconds} | ${actions} | [${fault ? "failed" : "done"}](${picture}) |\n`,
      );
      const steps = task.steps.map(([words], at) => `${at + 1}. ${words}\n`);
      const head = "| hands | seconds | actions | at the end |\n| --- | --- | --- | --- |\n";
      return [`### ${index + 1}. ${task.wish}\n`, `${steps.join("")}`, `${head}${rows.join("")}`];
    }),
  ]);
  return `# Paths through the pages\n\n${sections.join("\n")}`;
}
