import type { Context } from "@/lib/access/context";
import { takeMetadataRequest } from "@/lib/access/quotas";
import { isBillingOn } from "@/lib/billing/stripe-client";
import { type Received, receiveEvent } from "@/lib/billing/webhook";
import { Failure } from "@/lib/kernel/errors";
import { answerAt, type Endpoint, unknownPath } from "./endpoint";
import { log } from "./log";
import { readBytes } from "./read-input";
import { personalReply, respond } from "./respond";

/** Answers Stripe's events; anyone else learns that there is a signature to bring, or nothing where billing is off. */
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
