// A separate process that requests paths, each with its own client, until its input ends, and prints how long each
// reply took. Inside the process of many clients, it would wait for their replies to be read.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "./client";
import type { LightReplies } from "./light";
import { say } from "./say";

const PAUSE_MS = 50;

const [url = "", ...paths] = process.argv.slice(2);
let isOver = false;
once(process.stdin.resume(), "end").then(() => {
  isOver = true;
});
say(JSON.stringify(await Promise.all(paths.map(askAgain))));

async function askAgain(path: string): Promise<LightReplies> {
  const client = new Client(url, "");
  const replies: LightReplies = { path, latencies: [], statuses: {} };
  while (!isOver) {
    const { status, ms } = await client.get(path);
    replies.latencies.push(ms);
    replies.statuses[status] = (replies.statuses[status] ?? 0) + 1;
    await sleep(PAUSE_MS);
  }
  client.close();
  return replies;
}
