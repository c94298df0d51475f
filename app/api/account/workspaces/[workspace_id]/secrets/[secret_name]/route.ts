import { serve } from "@/lib/http/serve";
import { deleteSecret, replaceSecret } from "@/lib/operations/workspace/secrets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ PUT: replaceSecret, DELETE: deleteSecret });
