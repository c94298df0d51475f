import type { Context } from "@/lib/access/context";
import { noteMetadataRequest, takeMetadataRequest } from "@/lib/access/quotas";
import { isBillingOn } from "@/lib/billing/stripe-client";
import { type Received, receiveEvent } from "@/lib/billing/webhook";
import { Failure, fail } from "@/lib/errors";
import { requestContext } from "./context";
import { log } from "./log";
import { readBytes } from "./read-input";
import { personalReply, respond, respondWithFailure } from "./respond";
import { unknownPath } from "./serve";

/** Answers Stripe's events; anyone else learns that there is a signature to bring, or nothing where billing is off. */
export async function stripeWebhook(request: Request): Promise<Response> {
  if (!isBillingOn()) return unknownPath(request);
  const ctx = requestContext(request, { isPersonal: true });
  try {
    if (request.method !== "POST") {
      await noteMetadataRequest(ctx);
      throw fail("method_not_allowed", { headers: { allow: "POST" } });
    }
    const received = await receive(request, ctx);
    log().info(
      { request_id: ctx.requestId, event: received.id, kind: received.kind, outcome: received.outcome },
      "billing event",
    );
    return respond(request, personalReply({ received: true }, 200), ctx);
  } catch (thrown) {
    return respondWithFailure(thrown, ctx, request);
  }
}

/**
 * A body of the wrong size or signature takes from the address's light reads, so that signatures cannot be guessed at
 * leisure.
 */
async function receive(request: Request, ctx: Context): Promise<Received> {
  try {
    return await receiveEvent(await readBytes(request), request.headers.get("stripe-signature") ?? "");
  } catch (refusal) {
    if (refusal instanceof Failure && refusal.status < 500) await takeMetadataRequest(ctx);
    throw refusal;
  }
}
