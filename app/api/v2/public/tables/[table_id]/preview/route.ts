import { serve } from "@/lib/http/serve";
import { previewTable } from "@/lib/operations/preview-table";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: previewTable });
