import { randomUUID } from "node:crypto";
import type { RoutedOperation } from "@/lib/operations/operation";
import { ROUTED } from "@/lib/operations/registry";

/**
 * Calls that would change memberships and accounts when they are let in. They are tested with their own people.
 */
const APART = new Set(["sign_out_everywhere", "leave_workspace"]);

/** Operations that every caller tries over HTTP. */
export const TRIED: readonly RoutedOperation[] = ROUTED.filter(({ name }) => !APART.has(name));

/** The path of an operation with these values; an id that does not exist for every other. */
export const pathOf = ({ http }: RoutedOperation, values: Readonly<Record<string, string>>): string =>
  http.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? randomUUID());

/** A body that no operation accepts, so that nothing changes. */
export const wrongBody = ({ http }: RoutedOperation): object | undefined =>
  http.method === "GET" || http.method === "DELETE" ? undefined : { no_such_key: true };

/** How a call was rejected, or `in` if it reached the next check (of the body) or the work itself. */
export const outcomeOf = (status: number, body: { error?: string }): string =>
  [401, 403, 404].includes(status) ? `${status} ${body.error}` : "in";

/** The outcome, or `in` for a caller who was let in as expected and finds nothing. */
export const readOutcome = (op: RoutedOperation, expected: string | undefined, outcome: string): string =>
  expected === "in" && outcome === "404 not_found" && findsNothing(op) ? "in" : outcome;

/**
 * Without a payment provider these have nothing to return: an owner, who is let in, gets not found, while a member is
 * rejected as such.
 */
const UNCONFIGURED = new Set(["start_checkout", "open_billing_portal"]);

/**
 * Whether a caller who is let in still gets not found: the path ends in an id that does not exist, or there is no
 * payment provider.
 */
const findsNothing = (op: RoutedOperation): boolean =>
  /\/(members|invitations|keys|agents|devices|sessions|secrets|views|passkeys)\/\{\w+\}$/.test(op.http.path) ||
  /\/(watches|deliveries)\/\{\w+\}/.test(op.http.path) ||
  op.http.path.startsWith("/api/v2/tables/") ||
  /^\/api\/v2\/build\/.*\/(datasets|runs|artifacts|inspections|uploads)\/\{\w+\}/.test(op.http.path) ||
  /\/runs\/\{\w+\}\//.test(op.http.path) ||
  UNCONFIGURED.has(op.name);
