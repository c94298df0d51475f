// `npm run trial -- NAME`: what takes too long for every run of the tests, which hold a few cases of each.
import { spawnSync } from "node:child_process";

interface Trial {
  about: string;
  command: readonly string[];
  variables: Readonly<Record<string, string>>;
}

const unit = (...files: string[]) => ["vitest", "run", "--config", "lib/vitest.config.ts", ...files];
const browser = (...files: string[]) => ["playwright", "test", "--config", "e2e/playwright.config.ts", ...files];
const seed = process.env.PROPERTY_SEED ?? String(Math.floor(Math.random() * 1e9));
const random = (runs: number) => ({ PROPERTY_RUNS: String(runs), PROPERTY_SEED: seed });

const TRIALS: Readonly<Record<string, Trial>> = {
  queries: {
    about: "2,000 random queries and comparisons against an independent evaluator",
    command: unit("lib/engine"),
    variables: random(2000),
  },
  values: {
    about: "500 random values of every type through each format and back",
    command: unit("lib/formats", "lib/publish/sealed.test.ts"),
    variables: random(500),
  },
  kills: {
    about: "60 publishings killed at other moments each",
    command: unit("lib/publish/durability.test.ts"),
    variables: { KILLS: "60" },
  },
  pages: {
    about: "all 3,000,000 flights, page by page, each exactly once",
    command: browser("walk.spec.ts"),
    variables: { WALK: "all" },
  },
  refusals: {
    about: "how long refusals take, in the median of 200 interleaved samples: unknown, private, withdrawn",
    command: browser("refusals.spec.ts"),
    variables: { REFUSAL_SAMPLES: "200" },
  },
};

const [name = ""] = process.argv.slice(2);
const trial = TRIALS[name];
if (trial) {
  process.stdout.write(
    `${name}: ${Object.entries(trial.variables)
      .map((pair) => pair.join("="))
      .join(" ")}\n`,
  );
  const env = { ...process.env, UV_THREADPOOL_SIZE: "32", ...trial.variables };
  process.exit(spawnSync("npx", trial.command, { stdio: "inherit", env }).status ?? 1);
}
const list = Object.entries(TRIALS).map(([key, { about }]) => `  ${key.padEnd(10)}${about}\n`);
process.stdout.write(`${name === "" ? "" : `Unknown trial: ${name}. `}Trials:\n${list.join("")}`);
process.exit(name === "" ? 0 : 1);
