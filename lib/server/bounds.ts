/** Limits on a client's use of the listener. Times in milliseconds. */
export interface Bounds {
  /** Request line and headers, in bytes. */
  headBytes: number;
  headersMax: number;
  /** Query parameters of a page, repeated ones included: the framework's time grows with their square. */
  parametersMax: number;
  bodyBytes: number;
  /** The same if the body is a file. */
  fileBytes: number;
  headMs: number;
  /** The body of a request, unless it is a file: files have a minimum pace instead. */
  requestMs: number;
  keepAliveMs: number;
  /** A socket without any progress while a reply is sent, or while we wait for bytes. */
  idleMs: number;
  /**
   * The slowest reader, or sender of a file, that is tolerated, on average and for each chunk: `idleMs`, and then this
   * many bytes per millisecond.
   */
  readRate: number;
  connectionsMax: number;
  /** For one address that is not a trusted proxy. */
  addressConnectionsMax: number;
  /** The reply to a connection's last request closes it. What was pipelined after that is dropped. */
  connectionRequestsMax: number;
  /** How long a rejected body is still read, so that the reply arrives before the reset. */
  lingerMs: number;
  /** Reading one chunk from storage. */
  storageMs: number;
}

export const BOUNDS: Bounds = {
  headBytes: 16 * 1024,
  headersMax: 100,
  parametersMax: 200,
  bodyBytes: 64 * 1024,
  fileBytes: 1024 ** 3,
  headMs: 15_000,
  requestMs: 30_000,
  keepAliveMs: 65_000, // above the 60 s of common load balancers, so that they close first
  idleMs: 60_000,
  readRate: 32,
  connectionsMax: 4096,
  addressConnectionsMax: 1024,
  connectionRequestsMax: 1_000,
  lingerMs: 1_000,
  storageMs: 30_000,
};

/** How long running requests may continue after SIGTERM. */
export const GRACE_MS = 25_000;
