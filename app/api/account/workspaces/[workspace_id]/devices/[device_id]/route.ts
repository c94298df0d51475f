import { serve } from "@/lib/http/serve";
import { revokeDevice } from "@/lib/operations/workspace/devices";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ DELETE: revokeDevice });
