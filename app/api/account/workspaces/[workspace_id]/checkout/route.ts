import { serve } from "@/lib/http/serve";
import { startCheckout } from "@/lib/operations/workspace/billing";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: startCheckout });
