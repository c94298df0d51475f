import { serve } from "@/lib/http/serve";
import { getDataPackage } from "@/lib/operations/get-data-package";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getDataPackage });
