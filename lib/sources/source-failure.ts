/** Why a source could not be read: codes of a run's failures. */
export type SourceFailureCode =
  | "source_unreachable"
  | "source_refused"
  | "source_status"
  | "source_timeout"
  | "source_too_large"
  | "source_changed"
  | "pages_repeat"
  | "pages_incomplete"
  | "reader_mismatch"
  | "secret_host_refused"
  | "secret_echoed"
  | "quota_exhausted"
  | "cancelled";

/** Has nothing of a credential in it, and nothing of our own network. */
export class SourceFailure extends Error {
  readonly code: SourceFailureCode;
  /** Of the reply, where there was one. */
  readonly status: number | undefined;
  /** How long the server wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(code: SourceFailureCode, message: string, reply: { status?: number; retryAfterMs?: number } = {}) {
    super(message);
    this.code = code;
    this.status = reply.status;
    this.retryAfterMs = reply.retryAfterMs;
  }
}
