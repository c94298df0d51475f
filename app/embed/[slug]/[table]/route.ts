import { serveFrame } from "@/app/embed/serve-frame";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveFrame();
