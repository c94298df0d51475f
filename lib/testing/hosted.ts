import { createKey } from "@/lib/access/use-keys";
import { handle } from "@/lib/door/handle";
import { plainResponse } from "@/lib/http/deferred-body";
import { baseUrl } from "@/lib/kernel/env";
import { activateDataset } from "@/lib/operations/datasets/activate-dataset";
import type { ActivationReceipt } from "@/lib/schemas/activation";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import type { LevelsRecipe, useOffice } from "./office";
import { call as callOverHttp, sessionCookie } from "./signed-in";
import { newWorkspace } from "./workspace";

type Office = Awaited<ReturnType<typeof useOffice>>;

/** A reply of the service as a client receives it. */
export interface Received {
  status: number;
  headers: Headers;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect replies of every shape
  body: any;
}

/** Sends a request to the service's door as a client with these headers. */
export async function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Received> {
  const request = new Request(`${baseUrl()}${path}`, { method, headers });
  const reply = plainResponse(await handle(request), request);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const isJson = reply.headers.get("content-type")?.includes("json") === true && bytes.length > 0;
  return {
    status: reply.status,
    headers: reply.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

/** A live key of a workspace. */
export async function liveKey(
  workspaceId: string,
  expiresAt: Date | null = null,
): Promise<{ id: string; key: string }> {
  return createKey({ kind: "live", name: "live", workspaceId, userId: null, expiresAt }, ADMINISTRATOR);
}

/** An owner's session of the office's workspace, other than the builder's. */
export async function ownerCookie({ builder }: Pick<Office, "builder">): Promise<Record<string, string>> {
  const { userId } = await newWorkspace();
  await addMember(builder.workspaceId, userId, "owner", ADMINISTRATOR);
  return { cookie: await sessionCookie(userId) };
}

interface Sealed {
  recipe?: LevelsRecipe;
  /** Whether it is made current; true by default. */
  promote?: boolean;
}

/** A new dataset whose first full run is sealed. */
export async function sealedDataset(rig: Office, title: string, given: Sealed = {}): Promise<string> {
  const { recipe = rig.recipe(), promote = true } = given;
  const dataset = await rig.register(title, recipe);
  const { run_id, result } = await rig.sample(dataset);
  await rig.call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  await rig.rest(run_id);
  if (promote) await rig.call("promote_table", { dataset });
  return dataset;
}

/** Activates a dataset as an owner in the browser does; the receipt of its only table. */
export async function activated(
  rig: Office,
  dataset: string,
  cookie: Record<string, string>,
): Promise<ActivationReceipt> {
  const path = { workspace_id: rig.builder.workspaceId, dataset };
  const { status, body } = await callOverHttp(activateDataset, path, cookie, {});
  if (status !== 200) throw new Error(`activation: ${status} ${JSON.stringify(body)}`);
  return body.receipts[0];
}
