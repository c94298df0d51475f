import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";

/** Beyond the third level, compression takes twice the time to make CSV a tenth smaller. */
const GZIP_LEVEL = 3;

/** Whether an Accept-Encoding header names gzip with a weight other than 0. */
export const acceptsGzip = (header: string): boolean =>
  header.split(",").some((each) => {
    const [name = "", weight = "q=1"] = each.split(";").map((part) => part.trim().toLowerCase());
    return name === "gzip" && Number(weight.slice(2)) !== 0;
  });

/** Hashes the bytes as they are sent: the digest of a generated file is known only at its end. */
export function generatedStream(
  chunks: AsyncIterable<Buffer>,
  isCompressed: boolean,
): { stream: Readable; trailers: () => Readonly<Record<string, string>> } {
  const hash = createHash("sha256");
  const source = Readable.from(chunks, { objectMode: false });
  const encoded = isCompressed ? compressed(source) : source;
  return {
    stream: Readable.from(hashed(encoded, hash), { objectMode: false }),
    trailers: () => ({ "Content-Digest": `sha-256=:${hash.digest("base64")}:` }),
  };
}

/** Ends with the source, and fails and is destroyed with it. */
function compressed(source: Readable): Readable {
  const gzip = createGzip({ level: GZIP_LEVEL });
  source.once("error", (error) => gzip.destroy(error));
  gzip.once("close", () => source.destroy());
  return source.pipe(gzip);
}

async function* hashed(stream: Readable, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}
