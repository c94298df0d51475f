import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf } from "@/lib/access/authorize";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema } from "@/lib/schemas/account";
import { type Devices, devicesSchema } from "@/lib/schemas/device";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { revokeConnection } from "@/lib/store/people/agent-connections";
import { listDevices as storedDevices } from "@/lib/store/people/devices";

const devicePathSchema = workspacePathSchema.extend({ device_id: z.string().describe("The device's UUID.") });

/** GET the devices signed in to a workspace: one's own, or everybody's for owners. */
export const listDevices = operation({
  name: "list_devices",
  summary: "List devices",
  description: "Computers whose command line is signed in to the workspace. Members see their own; owners see all.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/devices" },
  input: { path: workspacePathSchema },
  output: devicesSchema,
  async run(_input, ctx): Promise<Devices> {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const devices = await storedDevices(workspaceId, ctx.now(), role === "owner" ? undefined : userId);
    return {
      schema_version: "service-devices.v1",
      devices: devices.map(({ id, name, first4, last4, scopes, email, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        name,
        ends: `svc_cli_${first4}…${last4}`,
        scopes,
        allowed_by: email,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
        expires_at: expiresAt.toISOString(),
      })),
    };
  },
});

/** DELETE a device: its credential is invalid from then on. */
export const revokeDevice = operation({
  name: "revoke_device",
  summary: "Revoke a device",
  description:
    "Permanent; takes effect on the device's next call. Members can revoke their own devices; owners can revoke " +
    "any device in the " +
    "workspace.",
  access: "member",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/devices/{device_id}" },
  input: { path: devicePathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    const { workspaceId, userId, role } = membershipOf(ctx);
    const which = { id: path.device_id, workspaceId, of: "device" as const, ...(role !== "owner" && { userId }) };
    if (!isUuid(path.device_id) || !(await revokeConnection(which, authorOf(ctx)))) throw fail("not_found");
    return done("revoked");
  },
});
