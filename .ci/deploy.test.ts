import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { METRICS } from "@/lib/kernel/telemetry";
import { balancerConfig, DEPLOYED } from "@/lib/testing/balancer";
import { freePort } from "@/lib/testing/free-port";

/** Runs a program; what it printed, if it failed. */
function faultsOf(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? "" : `${program} ${args.join(" ")}: ${error?.message ?? ""}${stdout}${stderr}`;
}

const has = (program: string, version: string): boolean => spawnSync(program, [version]).error === undefined;
const needing = (program: string, version = "--version") =>
  has(program, version)
    ? { skipped: false, title: (name: string) => name }
    : { skipped: true, title: (name: string) => `skipped: needs ${program} (${name})` };

const promtool = needing("promtool");

describe.skipIf(promtool.skipped)(promtool.title("alerts"), () => {
  test("Prometheus reads the rules and the configuration, and the rules fire when they should", () => {
    expect(faultsOf("promtool", ["check", "rules", "deploy/prometheus/alerts.yml"])).toBe("");
    expect(faultsOf("promtool", ["check", "config", "--syntax-only", "deploy/prometheus/prometheus.yml"])).toBe("");
    expect(faultsOf("promtool", ["test", "rules", "deploy/prometheus/alerts.test.yml"])).toBe("");
  });
});

test.each(["deploy/prometheus/alerts.yml", "deploy/grafana/parquetry.json"])("%s names metrics that exist", (path) => {
  const exposed = new Set(
    Object.values(METRICS).flatMap(({ name, kind }) => {
      const plain = name.replaceAll(".", "_");
      if (kind === "histogram") return [`${plain}_bucket`, `${plain}_sum`, `${plain}_count`];
      return [kind === "counter" ? `${plain}_total` : plain];
    }),
  );
  const starts = [...new Set(Object.values(METRICS).map(({ name }) => name.split(".")[0]))].join("|");
  const named =
    readFileSync(path, "utf8")
      .replace(/^.*description:.*$/gm, "")
      .match(new RegExp(`\\b(?:${starts})_\\w+`, "g")) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((name) => !exposed.has(name))).toEqual([]);
});

/** In the place of an instance: says its name, or fails. */
class Replying {
  readonly host = "127.0.0.1";
  port = 0;
  failure: "503" | "no answer" | undefined;
  /** How many requests have arrived, without those for readiness. */
  requests = 0;
  readonly #server: Server;

  constructor(readonly name: string) {
    this.#server = createServer((req, res) => {
      req.resume();
      if (req.url === "/readyz") return void res.end();
      this.requests += 1;
      if (this.failure === "no answer") req.socket.destroy();
      else if (this.failure === "503") res.writeHead(503, { "retry-after": "7" }).end(name);
      else res.end(name);
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, this.host);
    await once(this.#server, "listening");
    this.port = (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const haproxy = needing("haproxy", "-v");

describe.skipIf(haproxy.skipped)(haproxy.title("the load balancer"), () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-balancer-"));
  const instances = [new Replying("one"), new Replying("two")];
  let balancer: ChildProcess;
  let url = "";

  beforeAll(async () => {
    const [port, file] = [await freePort(), join(folder, "haproxy.cfg")];
    url = `http://127.0.0.1:${port}`;
    for (const each of instances) await each.listen();
    writeFileSync(file, balancerConfig({ bind: `127.0.0.1:${port}`, instances }));
    balancer = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), 60_000);
  });
  afterAll(async () => {
    const ended = once(balancer, "exit");
    balancer.kill("SIGTERM");
    await ended;
    for (const each of instances) each.close();
    rmSync(folder, { recursive: true });
  });

  const ask = async (method: "GET" | "POST", path: string): Promise<string> => {
    const init = { method, ...(method === "POST" && { body: "{}" }) };
    const reply = await fetch(url + path, init).catch(() => undefined);
    return reply ? `${reply.status} ${await reply.text()}` : "cut";
  };
  const tables = Array.from({ length: 40 }, (_, at) => `table-${at}`);

  test("HAProxy accepts the configuration in deploy/", () => {
    expect(faultsOf("haproxy", ["-c", "-f", "deploy/haproxy.cfg"])).toBe("");
  });

  test("requests for one table reach one instance, and tables are spread over both", async () => {
    const reached = new Set<string>();
    for (const table of tables) {
      const [query, file, page] = [
        await ask("POST", `/api/public/tables/${table}/query`),
        await ask("GET", `/api/v2/public/tables/${table}/current`),
        await ask("GET", `/datasets/x/tables/${table}`),
      ];
      expect([file, page]).toEqual([query, query]);
      reached.add(query);
    }
    expect([...reached].sort()).toEqual(["200 one", "200 two"]);
  });

  test("what only reads is repeated elsewhere if an instance gives no answer, nothing else", async () => {
    const [failing] = instances;
    if (!failing) return;
    failing.failure = "no answer";
    const outcomes = new Set<string>();
    for (const table of tables) {
      expect(await ask("GET", `/api/v2/public/tables/${table}/current`)).toBe("200 two");
      expect(await ask("POST", `/api/v2/public/tables/${table}/query`)).toBe("200 two");
      outcomes.add((await ask("POST", `/api/v2/${table}`)).slice(0, 3));
    }
    failing.failure = undefined;
    outcomes.delete("200");
    expect(["502", "cut"].filter((outcome) => outcomes.has(outcome))).toEqual([...outcomes]);
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("an instance's 503 is the reply, with its Retry-After, so that no request is counted twice", async () => {
    for (const each of instances) Object.assign(each, { failure: "503", requests: 0 });
    for (const table of tables) {
      const path = `/api/v2/public/tables/${table}`;
      const replies = [
        await fetch(`${url}${path}/query`, { method: "POST", body: "{}" }),
        await fetch(`${url}${path}/current`),
      ];
      for (const { status, headers } of replies) expect([status, headers.get("retry-after")]).toEqual([503, "7"]);
    }
    expect(instances.reduce((sum, { requests }) => sum + requests, 0)).toBe(2 * tables.length);
    for (const each of instances) each.failure = undefined;
  });
});

test("deploy/haproxy.cfg is written from the list of instances", async () => {
  await expect(balancerConfig(DEPLOYED)).toMatchFileSnapshot("../deploy/haproxy.cfg");
});

const systemd = needing("systemd-analyze");

describe.skipIf(systemd.skipped)(systemd.title("the units of systemd"), () => {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-units-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(["parquetry.service", "parquetry-worker.service"])("%s is valid, and starts what is there", (name) => {
    const unit = readFileSync(join("deploy/systemd", name), "utf8");
    const [, program = "", script = ""] = /^ExecStart=(\S+) (\S+)/m.exec(unit) ?? [];
    expect([program, existsSync(script)]).toEqual(["/opt/parquetry/node_modules/.bin/node", true]);
    const here = join(folder, name);
    writeFileSync(here, unit.replace(program, process.execPath));
    expect(faultsOf("systemd-analyze", ["verify", here])).toBe("");
  });
});
