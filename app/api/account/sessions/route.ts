import { serve } from "@/lib/http/serve";
import { listSessions, signOutEverywhere } from "@/lib/operations/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listSessions, DELETE: signOutEverywhere });
