import { serve } from "@/lib/http/serve";
import { requestVerification } from "@/lib/operations/account/prove-address";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: requestVerification });
