import { serve } from "@/lib/http/serve";
import { createKey, listKeys } from "@/lib/operations/workspace/keys";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listKeys, POST: createKey });
