import { takeRegistration } from "@/lib/access/quotas";
import { serveJson } from "@/lib/http/oauth-route";
import { registerClient } from "@/lib/oauth/registration";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveJson(async (body, ctx) => {
  await takeRegistration(ctx);
  return registerClient(body, ctx.now());
});
