import { authorizeDevice } from "@/lib/auth/oauth/device-authorization";
import { serveForm } from "@/lib/http/oauth-route";
import { takeDeviceLogin } from "@/lib/operations/allowances";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm(async (form, ctx) => {
  await takeDeviceLogin(ctx);
  return authorizeDevice(form, { base: ctx.baseUrl, address: ctx.address, now: ctx.now() });
});
