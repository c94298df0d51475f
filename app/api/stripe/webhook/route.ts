import { stripeWebhook } from "@/lib/http/stripe-webhook";

export const GET = stripeWebhook;
export const HEAD = stripeWebhook;
export const POST = stripeWebhook;
export const PUT = stripeWebhook;
export const PATCH = stripeWebhook;
export const DELETE = stripeWebhook;
export const OPTIONS = stripeWebhook;
