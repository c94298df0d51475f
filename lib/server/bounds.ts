/** What a client may take of the listener. Times in milliseconds. */
export interface Bounds {
  /** Request line and headers, in bytes. */
  headBytes: number;
  headersMax: number;
  bodyBytes: number;
  headMs: number;
  /** Whole request, body included. */
  requestMs: number;
  keepAliveMs: number;
  /** Socket without any progress while a reply goes out, or while we wait for bytes. */
  idleMs: number;
  /** Slowest reader that is kept, on average and for each chunk: `idleMs` and then this many bytes per millisecond. */
  readRate: number;
  connectionsMax: number;
  /** Of one address that is no trusted proxy. */
  addressConnectionsMax: number;
  /** How long a refused body is still read, so that the refusal arrives before the reset. */
  lingerMs: number;
  /** Reading one chunk from storage. */
  storageMs: number;
}

export const BOUNDS: Bounds = {
  headBytes: 16 * 1024,
  headersMax: 100,
  bodyBytes: 64 * 1024,
  headMs: 15_000,
  requestMs: 30_000,
  keepAliveMs: 65_000, // over the 60 s of common load balancers, so that they close first
  idleMs: 60_000,
  readRate: 32,
  connectionsMax: 4096,
  addressConnectionsMax: 1024,
  lingerMs: 1_000,
  storageMs: 30_000,
};

/** How long running requests may go on after SIGTERM. */
export const GRACE_MS = 25_000;
