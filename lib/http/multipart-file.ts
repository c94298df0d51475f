import { fail } from "@/lib/kernel/errors";

/** A form whose last field is a file: the fields before it, and the file, of which nothing has been read yet. */
export interface FileForm {
  fields: Readonly<Record<string, string>>;
  /** Undefined if the person chose none. */
  file: { fileName: string; mediaType: string; chunks: AsyncIterable<Uint8Array> } | undefined;
}

const BOUNDARY = /^multipart\/form-data\b.{0,200}?;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const NAME = /;\s*name="([^"]{0,100})"/i;
const FILE_NAME = /;\s*filename="([^"]{0,500})"/i;
const MEDIA = /^content-type:[ \t]*([^\r\n]{0,200})/im;
const FIELDS_BYTES_MAX = 16 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");

/** Reads a posted form up to its file. Fails with invalid_request for anything else. */
export async function readFileForm({ headers, body }: Request): Promise<FileForm> {
  const type = (headers.get("content-type") ?? "").slice(0, 400);
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || !body) throw malformed();
  const reader = new MarkReader(body as unknown as AsyncIterable<Uint8Array>);
  const mark = Buffer.from(`\r\n--${boundary}`);
  await reader.until(mark.subarray(2)); // the first mark begins the body
  const fields: Record<string, string> = {};
  while ((await reader.take(2)) === "\r\n") {
    const head = `\r\n${(await reader.until(HEAD_END)).toString("utf8")}`;
    const [name, fileName] = [NAME.exec(head)?.[1], FILE_NAME.exec(head)?.[1]];
    if (name === undefined) throw malformed();
    if (fileName !== undefined) {
      const mediaType = MEDIA.exec(head)?.[1] ?? "";
      return { fields, file: fileName === "" ? undefined : { fileName, mediaType, chunks: reader.chunksUntil(mark) } };
    }
    fields[name] = (await reader.until(mark)).toString("utf8");
  }
  return { fields, file: undefined };
}

const malformed = () => fail("invalid_request", { message: "Malformed form. Send the file from the upload page." });

/** Reads a stream up to boundary marks. */
class MarkReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #taken = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The bytes before the mark, which is dropped. The total read by this method is bounded. */
  async until(mark: Buffer): Promise<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(mark);
      if (at >= 0) return this.#cut(at, mark.length);
      await this.#more();
    }
  }

  async take(bytes: number): Promise<string> {
    while (this.#rest.length < bytes) await this.#more();
    return this.#cut(bytes, 0).toString("latin1");
  }

  /** The bytes before the mark, as they arrive. Fails if the stream ends without it. */
  async *chunksUntil(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#rest.indexOf(mark);
      if (at >= 0) {
        if (at > 0) yield this.#rest.subarray(0, at);
        return;
      }
      const sure = Math.max(0, this.#rest.length - mark.length + 1); // a mark may be split between chunks
      if (sure > 0) yield this.#rest.subarray(0, sure);
      this.#rest = this.#rest.subarray(sure);
      await this.#append();
    }
  }

  #cut(at: number, dropped: number): Buffer {
    const before = this.#rest.subarray(0, at);
    this.#rest = this.#rest.subarray(at + dropped);
    this.#taken += at + dropped;
    if (this.#taken > FIELDS_BYTES_MAX) throw fail("request_too_large");
    return before;
  }

  async #more(): Promise<void> {
    if (this.#rest.length > FIELDS_BYTES_MAX) throw malformed();
    await this.#append();
  }

  async #append(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw malformed();
    this.#rest = this.#rest.length === 0 ? Buffer.from(value) : Buffer.concat([this.#rest, value]);
  }
}
