import { serve } from "@/lib/http/serve";
import { createSecret, listSecrets } from "@/lib/operations/workspace/secrets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listSecrets, POST: createSecret });
