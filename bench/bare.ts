import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Answer, Client } from "./client";
import { processorMs } from "./processor";

/** A server of `bare-server.ts` in its own process. */
export interface BareServer {
  /** The reply's JSON rows. Throws on any status other than 200. */
  ask(sql: string): Promise<Answer>;
  /** Processor time of the process so far. */
  processorMs(): number;
  stop(): Promise<void>;
}

export async function startBareServer(): Promise<BareServer> {
  const program = join(import.meta.dirname, "bare-server.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production", UV_THREADPOOL_SIZE: "64" },
  });
  const gone = once(child, "exit").then(() => Promise.reject(new Error("The bare server ended")));
  const [port] = (await Promise.race([once(child.stdout, "data"), gone])) as [Buffer];
  const client = new Client(`http://127.0.0.1:${port.toString().trim()}`, "");
  return {
    ask: async (sql) => {
      const answer = await client.post("/", sql);
      if (answer.status !== 200) throw new Error(`The bare server answered ${answer.body.toString()}`);
      return answer;
    },
    processorMs: () => processorMs(child.pid),
    stop: async () => {
      client.close();
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
