import { serve } from "@/lib/http/serve";
import { getVersion } from "@/lib/operations/get-version";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getVersion });
