import { serve } from "@/lib/http/serve";
import { compareVersions } from "@/lib/operations/compare-versions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: compareVersions });
