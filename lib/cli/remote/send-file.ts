import { setTimeout as wait } from "node:timers/promises";
import { UPLOAD_PART_BYTES } from "@/lib/schemas/upload";
import { CommandError } from "./command-error";
import { ask, type RemoteReply, unexpected } from "./remote-service";

const PART_TIMEOUT_MS = 3_600_000; // the service ends uploads that are too slow
/** Consecutive failures of one part. */
const FAILURES_MAX = 8;
const PAUSE_MS = 250;
const PAUSE_SECONDS_MAX = 60;
/** The same request may succeed later; 416: at another position, as after a 409 that names one. */
const PASSING: ReadonlySet<number> = new Set([408, 416, 429, 500, 502, 504]);

type Pause = (ms: number) => Promise<unknown>;

interface Sending {
  file: Blob;
  /** SHA-256 of the file, as RFC 9530 writes it. */
  digest: string;
  headers: Readonly<Record<string, string>>;
  /** For messages: what is being done. */
  what: string;
}

/**
 * Sends a file with its digest, a large one in parts that continue from what the service has already stored. Returns
 * the reply that says it is stored; fails with the reason why it is not.
 */
export async function sendFile(url: string, sending: Sending, pause: Pause = wait): Promise<RemoteReply> {
  const { file, digest, headers, what } = sending;
  if (file.size > UPLOAD_PART_BYTES) return sendParts(url, sending, pause);
  const whole = { method: "PUT", headers: { ...headers, "content-digest": digest }, body: file };
  const reply = await ask(url, whole, { timeoutMs: PART_TIMEOUT_MS });
  if (reply.status !== 201) throw unexpected(reply, what);
  return reply;
}

type Answer = { stored: RemoteReply } | { held: number } | { failure: CommandError; pauseSeconds: number };

async function sendParts(url: string, sending: Sending, pause: Pause): Promise<RemoteReply> {
  let held: number | undefined; // undefined: ask the service
  let failures = 0;
  for (;;) {
    const answer = await sendPart(url, held, sending);
    if ("stored" in answer) return answer.stored;
    if ("held" in answer && (held === undefined || answer.held > held)) {
      if (held !== undefined) failures = 0;
      held = answer.held;
      continue;
    }
    failures += 1;
    const { failure, pauseSeconds } = "held" in answer ? noProgress(sending) : answer;
    if (failures === FAILURES_MAX) throw failure;
    await pause(Math.max(pauseSeconds * 1000, PAUSE_MS * 2 ** (failures - 1)));
    held = undefined;
  }
}

const noProgress = ({ what }: Sending) => ({
  failure: new CommandError(`${what}: the service does not store what it is sent.`),
  pauseSeconds: 0,
});

/** Sends the part from `held` on, or asks how much is stored. */
async function sendPart(url: string, held: number | undefined, sending: Sending): Promise<Answer> {
  const { file, digest, headers, what } = sending;
  const end = held === undefined ? 0 : Math.min(held + UPLOAD_PART_BYTES, file.size);
  const range = held === undefined ? "*" : `${held}-${end - 1}`;
  const sent = { ...headers, "repr-digest": digest, "content-range": `bytes ${range}/${file.size}` };
  const part = { method: "PUT", headers: sent, ...(held !== undefined && { body: file.slice(held, end) }) };
  let reply: RemoteReply;
  try {
    reply = await ask(url, part, { timeoutMs: PART_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof CommandError) return { failure: error, pauseSeconds: 0 };
    throw error;
  }
  if (reply.status === 201) return { stored: reply };
  if (reply.status === 202) return { held: Number((reply.json as { held_bytes: unknown }).held_bytes) };
  const failure = unexpected(reply, what);
  const pauseSeconds = Number(reply.headers.get("retry-after") ?? 0);
  const isOvertaken = reply.status === 409 && reply.headers.has("upload-offset");
  if ((PASSING.has(reply.status) || isOvertaken) && pauseSeconds <= PAUSE_SECONDS_MAX) return { failure, pauseSeconds };
  throw failure;
}
