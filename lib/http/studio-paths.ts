import type { Context } from "@/lib/access/context";
import type { Failure } from "@/lib/kernel/errors";
import type { StudioFields } from "./studio-form";
import type { FormReply } from "./watch-forms";

/** A form of the studio. */
export interface StudioForm {
  /** Runs the operation and returns the path of the page that shows the outcome. */
  run(fields: StudioFields, ctx: Context): Promise<FormReply>;
  /** The page that contains the form and shows what went wrong. */
  page(fields: StudioFields): string;
  /** What the page shows for a failure, if that is more than its code. */
  told?(failure: Failure): { error: string; cookie: string };
}

export const runPage = ({ dataset = "", run_id = "" }: StudioFields): string =>
  `/studio/${encodeURIComponent(dataset)}/runs/${encodeURIComponent(run_id)}`;
export const datasetPage = ({ dataset = "" }: StudioFields): string => `/studio/${encodeURIComponent(dataset)}`;
export const runPath = ({ workspace_id = "", run_id = "" }: StudioFields) => ({ workspace_id, run_id });
export const datasetPath = ({ workspace_id = "", dataset = "" }: StudioFields) => ({ workspace_id, dataset });
