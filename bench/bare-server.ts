// The baseline: Node's http and DuckDB with whatever SQL it is sent, without limits, keys, cursors or digests
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { RawDuckDb } from "./raw";
import { say } from "./say";

const raw = await RawDuckDb.open();
const server = createServer((req, res) => {
  const answered = text(req).then((sql) => raw.json(sql));
  answered.then(
    (json) => res.setHeader("content-type", "application/json").end(json),
    (error: unknown) => res.writeHead(500).end(String(error)),
  );
});
server.listen(0, "127.0.0.1", () => say(String((server.address() as AddressInfo).port)));
