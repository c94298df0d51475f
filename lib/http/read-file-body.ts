import { fail } from "@/lib/kernel/errors";
import type { FileBody, FilePart } from "@/lib/operations/file-body";

const MEDIA_MAX = 200;
const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/;
const DIGEST_HEADER_MAX = 1000;
const CONTENT_RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/;

/** The body as a file, of which nothing has been read yet. Fails with unsupported_media_type for a compressed body. */
export function readFileBody({ headers, body }: Request): FileBody {
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity")
    throw fail("unsupported_media_type", {
      message: `Content-Encoding ${coding.slice(0, 50)} is not supported. Send the file without it, even a gzip file.`,
    });
  const declared = headers.get("content-length");
  const declaredBytes = declared === null ? undefined : Number(declared);
  const part = partOf(headers, declaredBytes);
  return {
    chunks: body ?? nothing(),
    declaredBytes,
    mediaType: (headers.get("content-type") ?? "").slice(0, MEDIA_MAX),
    declaredDigest: digestOf(headers, "Content-Digest"),
    ...(part && { part }),
  };
}

/** RFC 9530. Other algorithms are ignored, as it requires. */
function digestOf(headers: Headers, name: "Content-Digest" | "Repr-Digest"): string | undefined {
  const header = headers.get(name);
  if (header === null) return undefined;
  const found = DIGEST.exec(header.slice(0, DIGEST_HEADER_MAX))?.[1];
  if (found !== undefined) return Buffer.from(found, "base64").toString("hex");
  if (/sha-256/i.test(header))
    throw fail("invalid_request", { message: `Malformed ${name}. Send sha-256=:…: with 32 bytes in base64.` });
  return undefined;
}

/** The part that Content-Range describes (RFC 9110 §14.5). */
function partOf(headers: Headers, declaredBytes: number | undefined): FilePart | undefined {
  const header = headers.get("content-range");
  if (header === null) return undefined;
  const [, first, last, total] = CONTENT_RANGE.exec(header.slice(0, 100)) ?? [];
  const range = first === undefined ? undefined : { start: Number(first), bytes: Number(last) - Number(first) + 1 };
  const totalBytes = Number(total);
  if (total === undefined || (range && (range.bytes < 1 || Number(last) >= totalBytes)))
    throw fail("invalid_request", {
      message:
        "Malformed Content-Range. Send bytes <first>-<last>/<all>, or bytes */<all> to ask how much has arrived.",
    });
  const digest = digestOf(headers, "Repr-Digest");
  if (digest === undefined)
    throw fail("invalid_request", { message: "A part of a file needs Repr-Digest: sha-256=:…: of the whole file." });
  const named = range?.bytes ?? 0;
  if (declaredBytes !== undefined && declaredBytes !== named)
    throw fail("invalid_request", {
      message: `Content-Range names ${named} bytes, but the body has ${declaredBytes}. Send exactly that range.`,
    });
  return { totalBytes, digest, ...(range && { range }) };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
