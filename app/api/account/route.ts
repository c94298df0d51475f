import { serve } from "@/lib/http/serve";
import { getAccount, renameAccount } from "@/lib/operations/account/own-account";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({ GET: getAccount, PATCH: renameAccount });
