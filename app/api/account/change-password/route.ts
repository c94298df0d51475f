import { serve } from "@/lib/http/serve";
import { changePassword } from "@/lib/operations/account/own-account";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: changePassword });
