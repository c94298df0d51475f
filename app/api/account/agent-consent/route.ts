import { serve } from "@/lib/http/serve";
import { decideAgentRequest } from "@/lib/operations/account/agent-consent";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: decideAgentRequest });
