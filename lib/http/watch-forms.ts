import type { Context } from "@/lib/access/context";
import { execute } from "@/lib/operations/execute";
import {
  changeWatch,
  deleteWatch,
  replaceWatchSecret,
  resendDelivery,
  testWatch,
} from "@/lib/operations/workspace/watches";
import { shownSecretCookie } from "./shown-secret";
import type { StudioFields } from "./studio-form";

const PAGE = "/settings/watches";

/** Where a form leads: a page, and possibly a cookie for it. */
export type FormReply = string | { path: string; cookie: string };

const watchesPage = ({ workspace_id = "", watch_id }: StudioFields): string => {
  const watch = watch_id ? `&watch=${encodeURIComponent(watch_id)}` : "";
  return `${PAGE}?workspace=${encodeURIComponent(workspace_id)}${watch}`;
};
const pathOf = ({ workspace_id = "", watch_id = "" }: StudioFields) => ({ workspace_id, watch_id });

const form = (run: (fields: StudioFields, ctx: Context) => Promise<FormReply>) => ({ run, page: watchesPage });

/** The forms of the watches page, by name. Each runs one operation and returns to the page. */
export const WATCH_FORMS = {
  watch_secret: form(async (fields, ctx) => {
    const { secret } = await execute(replaceWatchSecret, { path: pathOf(fields) }, ctx);
    return shown(fields, secret);
  }),
  watch_test: form(async (fields, ctx) => {
    await execute(testWatch, { path: pathOf(fields) }, ctx);
    return `${watchesPage(fields)}&sent=test`;
  }),
  watch_change: form(async (fields, ctx) => {
    await execute(changeWatch, { path: pathOf(fields), body: { enabled: fields.enabled === "yes" } }, ctx);
    return watchesPage(fields);
  }),
  watch_delete: form(async (fields, ctx) => {
    await execute(deleteWatch, { path: pathOf(fields) }, ctx);
    return watchesPage({ workspace_id: fields.workspace_id ?? "" });
  }),
  watch_resend: form(async (fields, ctx) => {
    const path = { ...pathOf(fields), delivery_id: fields.delivery_id ?? "" };
    await execute(resendDelivery, { path }, ctx);
    return `${watchesPage(fields)}&sent=again`;
  }),
} as const;

function shown(fields: StudioFields, secret: string | null): FormReply {
  const path = watchesPage(fields);
  return secret === null ? path : { path, cookie: shownSecretCookie(fields.watch_id ?? "", secret, PAGE) };
}
