import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";

export const STRIPE_KEY = "sk_test_standin0123456789";
export const STRIPE_SIGNING = "whsec_standin0123456789";
export const STRIPE_PRICE = "price_standin";

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Asked {
  path: string;
  params: Record<string, string>;
  idempotencyKey: string | undefined;
}

/** Parameters that each request may have. Stripe rejects others, and so does this server. */
const CUSTOMER = /^(email|metadata\[workspace_id\])$/;
const SESSION =
  /^(mode|customer|client_reference_id|success_url|cancel_url|line_items\[0\]\[(price|quantity)\]|metadata\[(workspace_id|price)\]|subscription_data\[metadata\]\[workspace_id\])$/;
const REQUIRED = ["mode", "customer", "success_url", "cancel_url", "line_items[0][price]", "line_items[0][quantity]"];

const rejected = (status: number, type: string, code: string, param?: string): Answer => ({
  status,
  body: { error: { type, code, message: `${code} for ${STRIPE_KEY}`, ...(param && { param }) } },
});
const missing = (param: string) => rejected(404, "invalid_request_error", "resource_missing", param);
const list = (data: unknown[]): Answer => ({ status: 200, body: { object: "list", data, has_more: false } });
const id = (prefix: string) => `${prefix}_${randomBytes(9).toString("hex")}`;

/**
 * A server that implements the part of Stripe's API that the service uses, and rejects what Stripe would: wrong keys,
 * unknown parameters, reused idempotency keys.
 */
export class StripeStandIn {
  readonly asked: Asked[] = [];
  readonly customers = new Map<string, Record<string, unknown>>();
  readonly sessions: Record<string, unknown>[] = [];
  readonly subscriptions: Stripe.Subscription[] = [];
  /** Awaited before a request is answered. Its result, if any, is the answer. */
  before: (asked: Asked) => Promise<Answer | undefined> | Answer | undefined = () => undefined;
  url = "";
  readonly #once = new Map<string, { params: string; answer: Answer }>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body }) => {
      response
        .writeHead(status, { "content-type": "application/json", "request-id": id("req") })
        .end(JSON.stringify(body));
    });
  });

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.#server.unref();
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Settings of a service that sells its plan with this server. */
  settings(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_SIGNING,
      STRIPE_PRICE_ID: STRIPE_PRICE,
      STRIPE_API_URL: this.url,
    };
  }

  /** Adds or changes a subscription of a customer. */
  subscribe(customer: string, workspaceId: string, status: string, subscription = id("sub")): string {
    const found = this.subscriptions.find((one) => one.id === subscription);
    if (found) found.status = status;
    else {
      const made = {
        id: subscription,
        object: "subscription",
        customer,
        status,
        created: this.subscriptions.length,
        metadata: { workspace_id: workspaceId },
      };
      this.subscriptions.unshift(made as unknown as Stripe.Subscription);
    }
    return subscription;
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? "", this.url);
    const params = Object.fromEntries(
      request.method === "GET" ? searchParams : new URLSearchParams(await text(request)),
    );
    const key = request.headers["idempotency-key"];
    const asked: Asked = {
      path: `${request.method} ${pathname}`,
      params,
      idempotencyKey: typeof key === "string" ? key : undefined,
    };
    this.asked.push(asked);
    const instead = await this.before(asked);
    if (instead) return instead;
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return rejected(401, "invalid_request_error", "api_key_invalid");
    return asked.path.startsWith("POST") ? this.#answerOnce(asked) : this.#read(asked);
  }

  #answerOnce(asked: Asked): Answer {
    const params = JSON.stringify([asked.path, asked.params]);
    const before = asked.idempotencyKey === undefined ? undefined : this.#once.get(asked.idempotencyKey);
    if (before)
      return before.params === params ? before.answer : rejected(400, "idempotency_error", "idempotency_key_reused");
    const answer = this.#write(asked);
    if (asked.idempotencyKey !== undefined && answer.status < 400)
      this.#once.set(asked.idempotencyKey, { params, answer });
    return answer;
  }

  #read({ path, params }: Asked): Answer {
    const customer = this.customers.get(path.slice("GET /v1/customers/".length));
    if (path.startsWith("GET /v1/customers/")) return customer ? { status: 200, body: customer } : missing("id");
    if (!this.customers.has(params.customer ?? "")) return missing("customer");
    const own = ({ customer: of }: { customer?: unknown }) => of === params.customer;
    if (path === "GET /v1/subscriptions") return list(params.status === "all" ? this.subscriptions.filter(own) : []);
    return path === "GET /v1/checkout/sessions" ? list(this.sessions.filter(own)) : missing("path");
  }

  #write({ path, params }: Asked): Answer {
    if (path === "POST /v1/customers") return this.#newCustomer(params);
    if (path === "POST /v1/checkout/sessions") return this.#newSession(params);
    const expired = this.sessions.find((session) => path === `POST /v1/checkout/sessions/${session.id}/expire`);
    if (expired) return { status: 200, body: Object.assign(expired, { status: "expired", url: null }) };
    if (path !== "POST /v1/billing_portal/sessions") return missing("path");
    if (!this.customers.has(params.customer ?? "") || !params.return_url) return missing("customer");
    return {
      status: 200,
      body: {
        id: id("bps"),
        object: "billing_portal.session",
        url: `https://billing.example/p/${params.customer}`,
        ...params,
      },
    };
  }

  #newCustomer(params: Record<string, string>): Answer {
    const unknown = Object.keys(params).find((name) => !CUSTOMER.test(name));
    if (unknown) return rejected(400, "invalid_request_error", "parameter_unknown", unknown);
    const customer = {
      id: id("cus"),
      object: "customer",
      email: params.email,
      metadata: { workspace_id: params["metadata[workspace_id]"] },
    };
    this.customers.set(customer.id, customer);
    return { status: 200, body: customer };
  }

  #newSession(params: Record<string, string>): Answer {
    const unknown = Object.keys(params).find((name) => !SESSION.test(name));
    if (unknown) return rejected(400, "invalid_request_error", "parameter_unknown", unknown);
    const absent = REQUIRED.find((name) => !params[name]);
    if (absent) return rejected(400, "invalid_request_error", "parameter_missing", absent);
    const customer = this.customers.get(params.customer ?? "");
    if (!customer || customer.deleted) return missing("customer");
    if (params["line_items[0][price]"] !== STRIPE_PRICE) return missing("line_items[0][price]");
    const session = {
      id: id("cs"),
      object: "checkout.session",
      status: "open",
      customer: params.customer,
      client_reference_id: params.client_reference_id,
      metadata: { workspace_id: params["metadata[workspace_id]"], price: params["metadata[price]"] },
      url: `https://checkout.example/${id("c")}`,
    };
    this.sessions.unshift(session);
    return { status: 200, body: { ...session } };
  }
}

/** An event's body and its signature, made by Stripe's own library. */
export function signedEvent(
  event: unknown,
  { secret = STRIPE_SIGNING, atSeconds = Math.floor(Date.now() / 1000) } = {},
): { body: string; signature: string } {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const signature = new Stripe(STRIPE_KEY).webhooks.generateTestHeaderString({
    payload: body,
    secret,
    timestamp: atSeconds,
  });
  return { body, signature };
}
