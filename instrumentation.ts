import type { Instrumentation } from "next";
import { recordPageFailure } from "@/lib/http/page-failure";

/** Called by the framework when rendering fails. */
export const onRequestError: Instrumentation.onRequestError = (error, { headers }) => recordPageFailure(error, headers);
