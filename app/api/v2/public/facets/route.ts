import { serve } from "@/lib/http/serve";
import { getFacets } from "@/lib/operations/get-facets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getFacets });
