import { serve } from "@/lib/http/serve";
import { disconnectAgent } from "@/lib/operations/workspace/agents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ DELETE: disconnectAgent });
