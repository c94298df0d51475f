import { registerClient } from "@/lib/auth/oauth/registration";
import { serveJson } from "@/lib/http/oauth-route";
import { takeRegistration } from "@/lib/operations/allowances";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveJson(async (body, ctx) => {
  await takeRegistration(ctx);
  return registerClient(body, ctx.now());
});
