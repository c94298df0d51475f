import { serve } from "@/lib/http/serve";
import { getCroissant } from "@/lib/operations/get-croissant";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getCroissant });
