import { handle } from "@/lib/door/handle";
import { nextHandlers } from "@/lib/http/next-handlers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(handle);
