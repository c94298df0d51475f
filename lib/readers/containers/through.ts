import type { Readable, Transform } from "node:stream";

/** What a decoder makes of a source. It may end before its source does; both are closed in every case. */
export async function* through(source: Readable, decoder: Transform): AsyncGenerator<Buffer> {
  source.once("error", (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}
