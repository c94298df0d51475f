import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { type Listener, startListener } from "./listener";

const MANY = "1000000";
useTestState({ LIMIT_CATALOGUE_MINUTE: MANY, PARQUETRY_TRUSTED_PROXIES: "127.0.0.1" });

let listener: Listener;
let schema: string;
beforeAll(async () => {
  const { table_id } = await publishText("levels", "station,level\na,1\n");
  schema = `/api/v2/public/tables/${table_id}/schema`;
  listener = await startListener({
    door: { serves, takesFile, methods, handle },
    handle: (_req, res) => void res.writeHead(404).end(),
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: ["127.0.0.1"] },
    logger: pino({ level: "silent" }),
    bounds: { connectionsMax: 1000 },
  });
});
afterAll(() => listener.close(1_000));

const get = async (path: string, from: string): Promise<number> => {
  const reply = await fetch(`${listener.url}${path}`, { headers: { "x-forwarded-for": from } });
  await reply.arrayBuffer();
  return reply.status;
};

test("another caller's schema is answered before most of one caller's three hundred searches", async () => {
  expect(await get(schema, "192.0.2.2")).toBe(200);
  let done = 0;
  const flood = Array.from({ length: 300 }, async (_, index) => {
    const status = await get(`/api/v2/public/datasets?q=levls+of+station${index}`, "192.0.2.1");
    done += 1;
    return status;
  });
  await expect.poll(() => done).toBeGreaterThan(0);
  const before = done;
  for (let turn = 0; turn < 5; turn += 1) expect(await get(schema, "192.0.2.2")).toBe(200);
  expect(done - before).toBeLessThan(30); // 6 as a rule; without turns, each of the five waits for most of the 300
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
});
