import { type Failure, fail } from "@/lib/kernel/errors";

const DOWN = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "P1001",
  "P1002",
  "P1017",
  "P2024",
  "P2028",
]);

const CONNECTING = new Set(["connect", "getaddrinfo"]);

/**
 * Whether no server was found, whatever the system's code: its socket is gone, or its name is unknown while it is down.
 * Of such an error Prisma passes on the code alone, unlike its own.
 */
const isOfConnecting = ({ name, code = "", syscall = "" }: NodeJS.ErrnoException): boolean =>
  CONNECTING.has(syscall) || (name === "PrismaClientKnownRequestError" && /^E[A-Z]+/.test(code));

/**
 * Whether an error means that the database cannot be reached, which is temporary, rather than that a statement was
 * wrong.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (isOfAll(error, isDatabaseDown)) return true;
  if (!(error instanceof Error)) return false;
  return (
    codesOf(error).some((code) => DOWN.has(code)) ||
    isOfConnecting(error) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(error.message)
  );
}

const DISK_FULL = "53100";

/** Whether the database's disk is full. The statement changed nothing, and works again once there is space. */
export const isDatabaseFull = (error: unknown): boolean =>
  isOfAll(error, isDatabaseFull) ||
  (error instanceof Error && (codesOf(error).includes(DISK_FULL) || error.message.includes("No space left on device")));

/** Whether several errors that were thrown as one, such as those of upkeep's steps, are all of a kind. */
const isOfAll = (error: unknown, isOfKind: (each: unknown) => boolean): boolean =>
  error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isOfKind);

/** An error's own code, and PostgreSQL's code if Prisma has one of its own. */
function codesOf(error: Error): string[] {
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: PostgresCause } } };
  const codes = [code, meta?.driverAdapterError?.cause?.originalCode];
  return codes.filter((each) => typeof each === "string");
}

interface PostgresCause {
  originalCode?: unknown;
}

/** The request's failure if the database is full or cannot be reached; undefined for other errors. */
export function databaseFailure(error: unknown): Failure | undefined {
  if (isDatabaseFull(error))
    return fail("unavailable", {
      message: "The disk of the service is full, so nothing was changed. The administrator must free space first.",
      retryAfterSeconds: 60,
      cause: error,
    });
  return isDatabaseDown(error) ? fail("unavailable", { retryAfterSeconds: 5, cause: error }) : undefined;
}
