/** Why a source could not be read, as codes of a run's failures. */
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

/** Contains nothing of a credential and nothing about our own network. */
export class SourceFailure extends Error {
  readonly code: SourceFailureCode;
  /** Status of the reply, if there was one. */
  readonly status: number | undefined;
  /** How long the server asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;

  constructor(code: SourceFailureCode, message: string, reply: { status?: number; retryAfterMs?: number } = {}) {
    super(message);
    this.code = code;
    this.status = reply.status;
    this.retryAfterMs = reply.retryAfterMs;
  }
}
