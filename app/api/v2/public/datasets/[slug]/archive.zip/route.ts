import { serve } from "@/lib/http/serve";
import { archiveDataset } from "@/lib/operations/archive-dataset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: archiveDataset });
