const DEPTH_MAX = 5;

/**
 * An error as it is logged: name, code, message, stack and causes, and nothing else. Drivers attach rows, parameters,
 * requests and whole connections to their errors.
 */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!isError(error)) return { type: typeof error, message: typeof error === "string" ? error : "not an error" };
  const { name, message, stack, code, digest, cause, errors } = error;
  const inner = (value: unknown) => (typeof value === "string" ? value : describeError(value, depth + 1));
  return {
    type: name,
    message,
    ...(isLabel(code) && { code }),
    ...(isLabel(digest) && { digest }), // what a failed page shows
    stack,
    ...(cause !== undefined && depth < DEPTH_MAX && { cause: inner(cause) }),
    ...(Array.isArray(errors) && depth < DEPTH_MAX && { errors: errors.slice(0, 10).map(inner) }),
  };
}

interface ErrorLike {
  name: string;
  message: string;
  stack?: string;
  code?: unknown;
  digest?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** Also matches errors of other realms. */
const isError = (value: unknown): value is ErrorLike =>
  typeof value === "object" && value !== null && typeof (value as ErrorLike).message === "string" && "stack" in value;

const isLabel = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= 100);
