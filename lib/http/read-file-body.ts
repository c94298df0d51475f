import { fail } from "@/lib/kernel/errors";
import type { FileBody } from "@/lib/operations/file-body";

const MEDIA_MAX = 200;
const DIGEST = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/;
const DIGEST_HEADER_MAX = 1000;

/** The body as a file, of which nothing is read yet. Fails with unsupported_media_type for a compressed body. */
export function readFileBody({ headers, body }: Request): FileBody {
  const coding = headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity")
    throw fail("unsupported_media_type", {
      message: `Content-Encoding ${coding.slice(0, 50)} is not supported. Send the file as it is, even a gzip file.`,
    });
  if (headers.has("content-range"))
    throw fail("invalid_request", { message: "Content-Range is not supported. Send the whole file." });
  const declared = headers.get("content-length");
  return {
    chunks: body ?? nothing(),
    declaredBytes: declared === null ? undefined : Number(declared),
    mediaType: (headers.get("content-type") ?? "").slice(0, MEDIA_MAX),
    declaredDigest: digestOf(headers.get("content-digest")),
  };
}

/** RFC 9530; other algorithms are ignored, as it asks for. */
function digestOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  const found = DIGEST.exec(header.slice(0, DIGEST_HEADER_MAX))?.[1];
  if (found !== undefined) return Buffer.from(found, "base64").toString("hex");
  if (/sha-256/i.test(header))
    throw fail("invalid_request", { message: "Malformed Content-Digest. Send sha-256=:…: with 32 bytes in base64." });
  return undefined;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
