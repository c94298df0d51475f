/** The body of a released event. */
export const webhookBody = (base: string): string => `{
  "type": "released",
  "timestamp": "2026-03-01T12:00:00.000Z",
  "data": {
    "url": "${base}/datasets/river-levels/versions/0f4b1b9e-7d2c-4d53-9f0e-3f8c1b8d2a11",
    "dataset": {
      "id": "5d0c7f2e-93a4-4d0e-8f53-6b1f4f7d9c20",
      "slug": "river-levels",
      "title": "River levels",
      "visibility": "public"
    },
    "reason": "promoted",
    "tables": [
      {
        "id": "b7a6c1f0-2f4e-4c89-a0d4-0c8f5f3e7d61",
        "slug": "gauges",
        "version_id": "0f4b1b9e-7d2c-4d53-9f0e-3f8c1b8d2a11",
        "previous_version_id": "9c5d4e1a-60b3-4a7e-8a52-1f0d9b7c3e42",
        "change": "appended",
        "rows": 2446,
        "content_digest": "sha256:6f1c…"
      }
    ]
  }
}`;

/** A receiver in Node.js, without a library. */
export const RECEIVER = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice("whsec_".length), "base64");

function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": given = "" } = headers;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const made = Buffer.from("v1," + createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest("base64"));
  return given.split(" ").some((one) => one.length === made.length && timingSafeEqual(Buffer.from(one), made));
}

createServer(async (request, reply) => {
  request.setEncoding("utf8"); // a character may be split between chunks
  let body = "";
  for await (const chunk of request) body += chunk;
  if (!isGenuine(request.headers, body)) return reply.writeHead(401).end();
  reply.writeHead(204).end(); // first the reply, then the work
  console.log(request.headers["webhook-id"], JSON.parse(body).type);
}).listen(8080);`;
