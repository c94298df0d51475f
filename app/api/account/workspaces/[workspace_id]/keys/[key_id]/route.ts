import { serve } from "@/lib/http/serve";
import { revokeKey } from "@/lib/operations/workspace/keys";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ DELETE: revokeKey });
