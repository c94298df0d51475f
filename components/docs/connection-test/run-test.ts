import { callTool, handshakes, message } from "./calls";
import type { Choice } from "./choice";
import { bareCredential, credentialForm } from "./credential-form";
import { type Exchange, send } from "./exchange";
import type { Facts } from "./reply-facts";
import { TestConnection } from "./sign-in";
import { type StepId, stepsOf } from "./steps";
import { type Verdict, verdictOf } from "./verdicts";

export interface StepRun {
  id: StepId;
  exchanges: readonly Exchange[];
  /** Absent while it waits or runs, or if it was skipped. */
  verdict?: Verdict;
}

interface Place {
  base: string;
  origin: string;
  /** A table whose rows are requested; absent if nothing is published. */
  tableId?: string | undefined;
}

interface Hooks {
  /** After each step, and before the first. */
  onSteps(steps: readonly StepRun[], running: StepId | undefined): void;
  /** Takes the person to the request, and returns what arrives on the channel; undefined if they stopped waiting. */
  askPerson(question: string, channel: string): Promise<URLSearchParams | undefined>;
}

interface Run {
  choice: Choice;
  place: Place;
  /** Where the page can call it: at its own origin, which the service may not be configured for. */
  at: { connector: string; bearer?: string | undefined };
  connection: TestConnection;
  hooks: Hooks;
}

/** Read only by this page. */
const UNSENT: Exchange = {
  asked: "read its form",
  method: "",
  path: "",
  withCredential: false,
  status: 0,
  ms: 0,
  headers: {},
  body: {},
  excerpt: "",
};

const COUNT = { columns: [], aggregates: [{ function: "count", as: "n" }] };

/** How each step sends its requests. */
const ASKS: Readonly<Record<StepId, (run: Run) => Promise<readonly Exchange[]>>> = {
  credential: async () => [UNSENT],
  address: async ({ at }) => [await send({ asked: "open it", method: "GET", address: at.connector })],
  origin: async ({ at }) => [await message(at, "ping", "ping")],
  resource: async ({ choice, place }) => [
    await send({
      asked: "resource metadata",
      method: "GET",
      address: `${place.origin}/.well-known/oauth-protected-resource${choice.path}`,
    }),
  ],
  server: async ({ connection }) => [await connection.discover()],
  rejection: async ({ at, place }) => [
    await callTool({ connector: at.connector }, "query_table", { table_id: place.tableId ?? "none", ...COUNT }),
  ],
  register: ({ connection }) => connection.register(),
  consent: async ({ connection, hooks }) => [
    connection.answered(await hooks.askPerson(await connection.question(), connection.channel)),
  ],
  token: async (run) => {
    const exchange = await run.connection.exchangeCode();
    run.at.bearer = run.connection.accessToken;
    return [exchange];
  },
  handshakes: ({ at }) => handshakes(at),
  tools: async ({ at }) => [await message(at, "tools/list", "tools/list")],
  rows: async ({ at, place }) =>
    place.tableId ? [await callTool(at, "sample_rows", { table_id: place.tableId, limit: 3 })] : [],
  own: async ({ at }) => [await callTool(at, "list_connected_datasets")],
  refresh: async ({ connection }) => [await connection.refresh()],
  revoke: async ({ at, connection }) => {
    const ended = await connection.end();
    const after = { connector: at.connector, bearer: connection.accessToken };
    return ended ? [ended, await callTool(after, "list_connected_datasets")] : [];
  },
};

/**
 * Tests a connection step by step, as a client would, and stops at the first step that fails; always ends a connection
 * that it made itself.
 * What is pasted is sent to the connector only, as a header, and is not stored.
 */
export async function runTest(choice: Choice, pasted: string, place: Place, hooks: Hooks): Promise<readonly StepRun[]> {
  const bearer = choice.mode === "credential" ? bareCredential(pasted) : undefined;
  const connector = `${place.base}${choice.path}`;
  const facts: Facts = {
    base: place.base,
    origin: place.origin,
    connector,
    form: bearer === undefined ? undefined : credentialForm(bearer),
  };
  const connection = new TestConnection({ base: place.base, connector });
  const run: Run = { choice, place, at: { connector: `${place.origin}${choice.path}`, bearer }, connection, hooks };
  const leave = () => connection.endOnLeaving();
  addEventListener("pagehide", leave);
  const steps: StepRun[] = stepsOf(choice).map((id) => ({ id, exchanges: [] }));
  let isStopped = false;
  for (const [index, { id }] of steps.entries()) {
    if (isStopped && !(id === "revoke" && connection.accessToken)) continue;
    hooks.onSteps([...steps], id);
    const exchanges = await ASKS[id](run);
    const verdict = verdictOf(id, exchanges, facts);
    steps[index] = { id, exchanges, verdict };
    isStopped ||= !verdict.isGood;
  }
  removeEventListener("pagehide", leave);
  hooks.onSteps([...steps], undefined);
  return steps;
}
