import type { ErrorCode, Failure } from "@/lib/kernel/errors";

export interface EnvelopeDetail {
  pointer: string;
  code: ErrorCode;
  message: string;
  allowed?: readonly string[];
  did_you_mean?: string;
}

export interface Envelope {
  schema_version: "service-error.v1";
  error: ErrorCode;
  request_id: string;
  message: string;
  details?: EnvelopeDetail[];
}

/** The body of every JSON error. `details` is present only if the request has faults to point at. */
export function envelope(failure: Failure, requestId: string): Envelope {
  const details = failure.faults.map(
    (fault): EnvelopeDetail => ({
      pointer: fault.pointer,
      code: fault.code,
      message: fault.message,
      ...(fault.allowed && { allowed: fault.allowed }),
      ...(fault.didYouMean !== undefined && { did_you_mean: fault.didYouMean }),
    }),
  );
  return {
    schema_version: "service-error.v1",
    error: failure.code,
    request_id: requestId,
    message: failure.message,
    ...(details.length > 0 && { details }),
  };
}
