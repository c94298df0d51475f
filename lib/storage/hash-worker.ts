/**
 * The program of a hash thread: CommonJS, kept as a string so that no bundler or loader has to find it.
 * Jobs: {id, fd, bytes} hashes a file and {id, stop} cancels that; {id, chunk} adds to a running hash, {id, end}
 * requests its digest, {id, drop} discards it. Each except `stop` and `drop` is answered with {id, digest?, code?}:
 * `code` is an errno, or SHORT for a file that ended early.
 */
export const HASH_WORKER = `
const { parentPort } = require("node:worker_threads");
const { createHash } = require("node:crypto");
const { read } = require("node:fs");
const CHUNK = 1 << 20;
const running = new Map();
const files = new Set();

const readAt = (fd, buffer, length, position) => new Promise((resolve, reject) =>
  read(fd, buffer, 0, length, position, (error, bytes) => (error ? reject(error) : resolve(buffer.subarray(0, \
bytes)))));

async function hashFile({ id, fd, bytes }) {
  const hash = createHash("sha256");
  const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)];
  const next = (turn, position) => readAt(fd, buffers[turn & 1], Math.min(CHUNK, bytes - position), position);
  let position = 0;
  let reading = bytes > 0 ? next(0, 0) : undefined;
  for (let turn = 1; reading; turn += 1) {
    const chunk = await reading;
    position += chunk.length;
    if (chunk.length === 0 || !files.has(id)) return { id, code: "SHORT" };
    reading = position < bytes ? next(turn, position) : undefined;
    hash.update(chunk);
  }
  return { id, digest: hash.digest("hex") };
}

parentPort.on("message", (job) => {
  const { id } = job;
  if (job.stop) { files.delete(id); return; }
  if (job.drop) { running.delete(id); return; }
  if (job.fd !== undefined) {
    files.add(id);
    hashFile(job).catch((error) => ({ id, code: error.code || "EIO" })).then((answer) => { files.delete(id); \
parentPort.postMessage(answer); });
    return;
  }
  if (!running.has(id)) running.set(id, createHash("sha256"));
  const hash = running.get(id);
  if (job.chunk) { hash.update(job.chunk); parentPort.postMessage({ id }); return; }
  running.delete(id);
  parentPort.postMessage({ id, digest: hash.digest("hex") });
});`;
