/** A file, or a part of one, that a client sends as a request's body, read as it arrives. */
export interface FileBody {
  chunks: AsyncIterable<Uint8Array>;
  /** Content-Length. */
  declaredBytes: number | undefined;
  mediaType: string;
  /** The SHA-256 that the client says the body has, in hex. */
  declaredDigest: string | undefined;
  /** Absent if the body is the complete file. */
  part?: FilePart;
}

/** Which part of its file a body is. */
export interface FilePart {
  /** Absent if the client sends nothing and asks how much has arrived. */
  range?: { start: number; bytes: number };
  /** Of the complete file, identified by its SHA-256 in hex. */
  totalBytes: number;
  digest: string;
}
