import { serve } from "@/lib/http/serve";
import { decideDeviceRequest, getDeviceRequest } from "@/lib/operations/account/device-request";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: getDeviceRequest,
  POST: decideDeviceRequest,
});
