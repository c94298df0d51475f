import type { Logger } from "pino";

type Target = Pick<NodeJS.Process, "on" | "off" | "exit">;

/**
 * Logs the error that keeps the service from starting, and exits. Node would print the error with all attached data,
 * such as a wrong DATABASE_URL with its password. Returns a function that stops this once the service runs.
 */
export function logFailedStart(logger: Pick<Logger, "fatal">, target: Target = process): () => void {
  const onFailure = (err: unknown) => {
    logger.fatal({ err }, "the service could not start");
    target.exit(1);
  };
  target.on("uncaughtException", onFailure);
  return () => void target.off("uncaughtException", onFailure);
}
