import { once } from "node:events";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectTo, converse, statuses } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

let listener: Listener;
let [underWay, mostUnderWay, answered] = [0, 0, 0];

beforeAll(async () => {
  listener = await startListener({
    handle: async (_req, res) => {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      for (let work = 0; work < 20_000; work += 1) Math.sqrt(work);
      await new Promise(setImmediate);
      underWay -= 1;
      answered += 1;
      res.end("done\n");
    },
    ...{ port: 0, host: "127.0.0.1", logger: pino({ level: "silent" }) },
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    bounds: { connectionRequestsMax: 500, bodyBytes: 1_000 },
  });
});
afterAll(() => listener.close(500));

const requests = (count: number) => "GET /page HTTP/1.1\r\nHost: x\r\n\r\n".repeat(count);

test("others are answered while a connection's pipelined requests are, of which 16 are under way at most", async () => {
  const flood = connectTo(listener.url);
  flood.resume().on("error", () => undefined); // what is sent after the last reply is reset
  flood.write(requests(20_000));
  await once(flood, "data");
  const replies = [];
  while (answered < 400 && replies.length < 10) {
    replies.push((await converse(listener.url, requests(1), { quietMs: 0 })).received);
  }
  expect(replies).toHaveLength(10);
  expect(statuses(replies.join("\n"))).toEqual(replies.map(() => 200));
  await once(flood, "close");
  expect(mostUnderWay).toBeLessThanOrEqual(16 + 1);
});

test("a connection ends with the reply to its last request", async () => {
  const { received, closedByServer } = await converse(listener.url, requests(505), { replies: 501, quietMs: 60_000 });
  expect(closedByServer).toBe(true);
  expect(statuses(received)).toEqual(new Array(500).fill(200));
});

test("a body that arrives before its request's turn is as bounded as any other", async () => {
  const body = "x".repeat(2_000);
  const post = `POST /page HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n${body}\r\n0\r\n\r\n`;
  const { received } = await converse(listener.url, `${requests(1)}${post}`, { replies: 2 });
  expect(statuses(received)).toEqual([200, 413]);
});
