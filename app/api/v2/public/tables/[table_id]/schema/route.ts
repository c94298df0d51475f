import { serve } from "@/lib/http/serve";
import { getSchema } from "@/lib/operations/get-schema";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getSchema });
