import { randomBytes } from "node:crypto";

const ECHOED = /^[A-Za-z0-9_-]{8,64}$/;

export const newRequestId = (): string => `req_${randomBytes(12).toString("base64url")}`;

/** The client's own ID if it is harmless to echo and log, else a new one. */
export function requestIdFrom(incoming: string | string[] | undefined): string {
  return typeof incoming === "string" && ECHOED.test(incoming) ? incoming : newRequestId();
}
