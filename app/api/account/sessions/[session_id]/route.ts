import { serve } from "@/lib/http/serve";
import { endSession } from "@/lib/operations/account/sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ DELETE: endSession });
