import { serve } from "@/lib/http/serve";
import { listConnectedDatasets } from "@/lib/operations/workspace/usage";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listConnectedDatasets });
