import { failWith } from "@/lib/kernel/errors";
import { type PublishRequest, publishRequestSchema } from "@/lib/schemas/publish";

/** A request as parsed by its schema, with defaults filled in. */
export type CheckedRequest = ReturnType<typeof checkRequest>;

/** Throws one failure with every fault of the request's shape. */
export function checkRequest(request: PublishRequest) {
  const parsed = publishRequestSchema.safeParse(request);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map((issue) => ({ place: issue.path.map(String), message: issue.message }));
  throw failWith(
    places.map(({ place, message }) => ({
      pointer: `/${place.join("/")}`,
      code: "invalid_request",
      message: `${place.join(".")}: ${message}`,
    })),
  );
}
