import { serve } from "@/lib/http/serve";
import { listAccountEvents } from "@/lib/operations/workspace/audit-log";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listAccountEvents });
