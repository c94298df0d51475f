/** A file, or a part of one, that a client sends as a request's body, read as it arrives. */
export interface FileBody {
  chunks: AsyncIterable<Uint8Array>;
  /** Content-Length. */
  declaredBytes: number | undefined;
  mediaType: string;
  /** The SHA-256 that the client says the body has, in hex. */
  declaredDigest: string | undefined;
  /** Absent where the body is the whole file. */
  part?: FilePart;
}

/** What a body is of its file. */
export interface FilePart {
  /** Absent where the client sends nothing and asks how much is held. */
  range?: { start: number; bytes: number };
  /** Of the whole file, which its SHA-256 in hex names. */
  totalBytes: number;
  digest: string;
}
