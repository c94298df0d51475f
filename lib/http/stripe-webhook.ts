import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import { isBillingOn } from "@/lib/billing/stripe-client";
import { type Received, receiveEvent } from "@/lib/billing/webhook";
import { Failure } from "@/lib/kernel/errors";
import { answerAt, type Endpoint, unknownPath } from "./endpoint";
import { log } from "./log";
import { readBytes } from "./read-input";
import { personalReply, respond } from "./respond";

/** Handles Stripe's events. Other callers learn only that a signature is required, or nothing if billing is off. */
export const stripeWebhook = (request: Request): Promise<Response> =>
  isBillingOn() ? answerAt(WEBHOOK, request, {}) : unknownPath(request);

const WEBHOOK: Endpoint = {
  isPersonal: true,
  preflight: null,
  answers: {
    async POST({ request, ctx }) {
      const received = await receive(request, ctx);
      log().info(
        { request_id: ctx.requestId, event: received.id, kind: received.kind, outcome: received.outcome },
        "billing event",
      );
      return respond(personalReply({ received: true }, 200), ctx);
    },
  },
};

/**
 * A body of the wrong size or signature is charged to the address's metadata requests, which limits how fast signatures
 * can be guessed.
 */
async function receive(request: Request, ctx: Context): Promise<Received> {
  try {
    return await receiveEvent(await readBytes(request), request.headers.get("stripe-signature") ?? "");
  } catch (rejection) {
    if (rejection instanceof Failure && rejection.status < 500) await takeMetadataRequest(ctx);
    throw rejection;
  }
}
