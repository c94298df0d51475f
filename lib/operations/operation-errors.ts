import { ACCESS, type Access, isHosted, isPersonal } from "@/lib/access/access-table";
import type { ErrorCode } from "@/lib/kernel/errors";
import { type AnyOperation, type Quota, schemasOf } from "./operation";

/** Every error code of an operation: its own, and those implied by its row, quota, path and body. */
export const errorsOf = (operation: AnyOperation): ErrorCode[] => [
  ...new Set<ErrorCode>([
    ...accessErrors(operation.access),
    ...(operation.errors ?? []),
    ...(operation.http?.path.includes("{") ? (["not_found"] as const) : []),
    ...(schemasOf(operation).body ? BODY_ERRORS : []),
    ...(operation.input.file ? FILE_ERRORS : []),
    ...(isConditional(operation) ? (["precondition_failed"] as const) : []),
    ...quotaErrors(operation.quota),
    "invalid_request",
    "not_acceptable",
    "method_not_allowed",
    "internal",
    "unavailable",
  ]),
];

/** Whether replies have an entity tag, so that requests may name it in If-Match and If-None-Match. */
export function isConditional(operation: AnyOperation): boolean {
  if (operation.http?.method !== "GET") return false;
  const isFile = "mediaType" in operation.output;
  if (isHosted(operation.access)) return isFile;
  return !isPersonal(operation.access) || (operation.access === "own_browser" && isFile);
}

const BODY_ERRORS = ["invalid_json", "unsupported_media_type", "request_too_large"] as const satisfies ErrorCode[];

const FILE_ERRORS = ["unsupported_media_type", "request_too_large"] as const satisfies ErrorCode[];

const quotaErrors = (quota: Quota): ErrorCode[] =>
  quota === "query" || quota === "own" ? ["rate_limited", "daily_quota_exhausted"] : ["rate_limited"];

/** The errors of the row's credential. */
function accessErrors(access: Access): ErrorCode[] {
  if (access === "visitor") return ["forbidden_origin"];
  const isScoped: ErrorCode[] = ACCESS[access].cells.use_key === "public and own" ? ["insufficient_scope"] : [];
  if (ACCESS[access].cells.anonymous !== "key_missing") return isScoped;
  const key: ErrorCode[] = ["key_missing", "key_invalid", "key_revoked", "key_expired", "key_wrong_type"];
  if (isHosted(access)) return [...key, "subscription_inactive"];
  if (!isPersonal(access)) return [...key, ...isScoped];
  const person: ErrorCode[] = ["key_missing", "key_wrong_type", "key_revoked", "key_expired", "forbidden_origin"];
  if (access === "build") return [...person, "plan_required"];
  if (access === "upload") return [...person, "key_invalid", "insufficient_scope", "plan_required"];
  return access === "owner" ? [...person, "insufficient_scope"] : person;
}
