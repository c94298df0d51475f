import { authRoute } from "@/lib/http/auth-route";

export const GET = authRoute;
export const POST = authRoute;
export const PUT = authRoute;
export const PATCH = authRoute;
export const DELETE = authRoute;
