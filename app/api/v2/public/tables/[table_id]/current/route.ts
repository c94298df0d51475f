import { serve } from "@/lib/http/serve";
import { downloadCurrent } from "@/lib/operations/download-current";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: downloadCurrent });
