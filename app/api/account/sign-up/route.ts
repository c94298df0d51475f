import { serve } from "@/lib/http/serve";
import { signUp } from "@/lib/operations/account/sign-up";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ POST: signUp });
