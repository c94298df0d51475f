import type { Logger } from "pino";

type Target = Pick<NodeJS.Process, "on" | "off" | "exit">;

/** An embedded PostgreSQL may still be starting. */
const RELEASE_MS = 60_000;

/**
 * Logs the error that keeps the service from starting, releases what was opened before (an embedded PostgreSQL would
 * otherwise keep running) and exits. Node would print the error with all attached data, such as a wrong DATABASE_URL
 * with its password. Returns a function that stops this once the service runs.
 */
export function logFailedStart(
  logger: Pick<Logger, "fatal">,
  release: () => Promise<void>,
  target: Target = process,
): () => void {
  let isReleasing = false;
  const onFailure = (err: unknown) => {
    logger.fatal({ err }, "the service could not start");
    if (isReleasing) return;
    isReleasing = true;
    const late = new Promise<void>((resolve) => setTimeout(resolve, RELEASE_MS));
    void Promise.race([release().catch(() => undefined), late]).then(() => target.exit(1));
  };
  target.on("uncaughtException", onFailure);
  return () => void target.off("uncaughtException", onFailure);
}
