/** A file that a client sends as a request's body, read as it arrives. */
export interface FileBody {
  chunks: AsyncIterable<Uint8Array>;
  /** Content-Length. */
  declaredBytes: number | undefined;
  mediaType: string;
  /** The SHA-256 that the client says it has, in hex. */
  declaredDigest: string | undefined;
}
