import { serve } from "@/lib/http/serve";
import { listAgents } from "@/lib/operations/workspace/agents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listAgents });
