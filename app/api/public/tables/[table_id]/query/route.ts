import { serve } from "@/lib/http/serve";
import { queryTableAnonymously } from "@/lib/operations/query-table";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: queryTableAnonymously });
