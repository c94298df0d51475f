import { serve } from "@/lib/http/serve";
import { getCitation } from "@/lib/operations/get-citation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getCitation });
