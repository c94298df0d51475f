import type Stripe from "stripe";
import { env } from "@/lib/kernel/env";
import { type Failure, fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";

/** Whether the paid plan is sold here. If not, plans are set only by the administrator's command. */
export const isBillingOn = (): boolean => env().STRIPE_SECRET_KEY !== undefined;

const TIMEOUT_MS = 10_000;

/** The client of Stripe's API. Fails with not_found if billing is off. */
export async function stripe(): Promise<Stripe> {
  const { STRIPE_SECRET_KEY, STRIPE_API_URL } = env();
  if (!STRIPE_SECRET_KEY) throw fail("not_found");
  return processWide("stripe", () => load(STRIPE_SECRET_KEY, STRIPE_API_URL));
}

/** The library takes 20 MB and a sixth of a second to load, a cost only services with billing pay. */
async function load(key: string, url: string | undefined): Promise<Stripe> {
  const { default: Client } = await import("stripe");
  return new Client(key, { ...addressOf(url), timeout: TIMEOUT_MS, maxNetworkRetries: 2, telemetry: false });
}

function addressOf(url: string | undefined): Stripe.StripeConfig {
  if (!url) return {};
  const { protocol, hostname, port } = new URL(url);
  const isPlain = protocol === "http:";
  return { protocol: isPlain ? "http" : "https", host: hostname, port: port || (isPlain ? 80 : 443) };
}

/** Calls Stripe. Fails with unavailable if Stripe cannot answer, and with internal if it rejects the request. */
export async function ask<T>(question: (client: Stripe) => Promise<T>): Promise<T> {
  const client = await stripe();
  try {
    return await question(client);
  } catch (error) {
    throw isStripes(error) ? rejectionOf(error) : error;
  }
}

/** The same for an object that may have been deleted at Stripe: then undefined. */
export function askFor<T>(question: (client: Stripe) => Promise<T>): Promise<T | undefined> {
  return ask(async (client) => {
    try {
      return await question(client);
    } catch (error) {
      if (isStripes(error) && error.code === "resource_missing") return undefined;
      throw error;
    }
  });
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

const isStripes = (error: unknown): error is StripeError =>
  error instanceof Error && "type" in error && String(error.type).startsWith("Stripe");

const PASSING: ReadonlySet<string> = new Set(["StripeConnectionError", "StripeAPIError", "StripeRateLimitError"]);

/** Only the identifiers of Stripe's error are kept: its message may quote the key, and its body the customer. */
function rejectionOf({ type, code, param, statusCode, requestId }: StripeError): Failure {
  const cause = new Error(
    ["Stripe:", type, statusCode, code, param, requestId].filter((part) => part !== undefined).join(" "),
  );
  if (PASSING.has(type))
    return fail("unavailable", {
      message: "The payment provider is not responding. Try again in a minute.",
      retryAfterSeconds: 30,
      cause,
    });
  return fail("internal", { cause });
}
