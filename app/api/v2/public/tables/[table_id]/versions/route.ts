import { serve } from "@/lib/http/serve";
import { listVersions } from "@/lib/operations/list-versions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: listVersions });
