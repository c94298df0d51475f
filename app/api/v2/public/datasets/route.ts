import { serve } from "@/lib/http/serve";
import { searchDatasets } from "@/lib/operations/search-datasets";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: searchDatasets });
