import { takeDeviceLogin } from "@/lib/access/quotas";
import { serveForm } from "@/lib/http/oauth-route";
import { authorizeDevice } from "@/lib/oauth/device-authorization";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveForm(async (form, ctx) => {
  await takeDeviceLogin(ctx);
  return authorizeDevice(form, { base: ctx.baseUrl, address: ctx.address, now: ctx.now() });
});
