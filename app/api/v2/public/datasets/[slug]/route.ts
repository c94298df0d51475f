import { serve } from "@/lib/http/serve";
import { getDataset } from "@/lib/operations/get-dataset";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getDataset });
