import { fontEndpoint } from "@/app/embed/fonts";
import { nextHandlers } from "@/lib/http/next-handlers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(fontEndpoint("inter"));
