// A process of its own that asks for paths in turn until its input ends, and prints how long each reply took: in the
// process of many clients, it would wait for their replies to be read
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "./client";
import { say } from "./say";

const PAUSE_MS = 50;

const [url = "", ...paths] = process.argv.slice(2);
const client = new Client(url, "");
const latencies = paths.map((): number[] => []);
let isOver = false;
once(process.stdin.resume(), "end").then(() => {
  isOver = true;
});
while (!isOver) {
  for (const [at, path] of paths.entries()) latencies[at]?.push((await client.get(path)).ms);
  await sleep(PAUSE_MS);
}
client.close();
say(JSON.stringify(latencies));
