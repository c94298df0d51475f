import { serve } from "@/lib/http/serve";
import { listDevices } from "@/lib/operations/workspace/devices";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listDevices });
