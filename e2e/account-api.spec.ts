import { expect } from "@playwright/test";
import { ROUTED } from "@/lib/operations/registry";
import { Contract } from "./openapi";
import { newEmail, Person } from "./people";
import { test } from "./test";

test("every call in an account's life replies as the OpenAPI document says", async ({ request }) => {
  const contract = await Contract.of(request);
  const owner = new Person(newEmail("life"));
  const guest = await new Person(newEmail("guest")).signUp();
  const values: Record<string, string> = { secret_name: "weather" };
  const call = async (name: string, status: number, body?: unknown, person = owner) => {
    const op = ROUTED.find((entry) => entry.name === name);
    if (!op) throw new Error(`no operation ${name}`);
    const path = op.http.path.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "");
    const { status: got, headers, json } = await person.call(op.http.method, path, body);
    const reply = {
      status: got,
      requestId: headers.get("x-request-id") ?? "",
      type: headers.get("content-type") ?? "",
      body: json,
    };
    expect(`${name} ${got}`).toBe(`${name} ${status}`);
    contract.expectFits(op.http.method.toLowerCase(), op.http.path, reply);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+/);
    return json;
  };

  await call("sign_up", 202, { email: owner.email, password: owner.password, name: "Life" });
  await call("sign_up", 409, { email: owner.email, password: "another long passphrase" });
  await call("sign_up", 400, { email: "no address", password: "12345" });
  await owner.signIn();
  await call("update_account", 200, { name: "Life and Times" });
  expect(await call("get_account", 200)).toMatchObject({
    name: "Life and Times",
    email_verified: false,
    has_password: true,
  });
  expect((await call("list_sessions", 200)).sessions).toMatchObject([{ current: true }]);
  values.workspace_id = (await call("create_workspace", 201, { name: "Lab" })).workspace.id;
  await call("create_workspace", 400, { name: "" });
  await call("rename_workspace", 200, { name: "The Lab" });
  expect((await call("get_workspace", 200)).workspace).toMatchObject({ name: "The Lab", role: "owner", plan: "free" });

  const { url } = await call("invite_member", 201, { role: "member", email: guest.email });
  const token = new URL(url).hash.slice("#token=".length);
  expect((await call("list_invitations", 200)).invitations).toHaveLength(1);
  expect(await call("read_invitation", 200, { token }, new Person("nobody@example.com"))).toMatchObject({
    workspace: { name: "The Lab" },
    role: "member",
  });
  await call("accept_invitation", 200, { token }, guest);
  await call("accept_invitation", 404, { token }, guest);
  await call("read_invitation", 404, { token: "x" });
  values.invitation_id = (await call("invite_member", 201, {})).invitation.id;
  await call("revoke_invitation", 200);
  await call("revoke_invitation", 404);
  values.user_id = (await guest.account()).id;
  expect((await call("list_members", 200)).members).toHaveLength(2);
  await call("set_member_role", 200, { role: "owner" });
  await call("set_member_role", 400, { role: "king" });

  const { key, id } = await call("create_key", 201, {
    name: "notebook",
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  expect(key).toMatch(/^svc_use_[0-9A-Za-z]{46}$/);
  await call("create_key", 400, { name: "over", expires_at: "2020-01-01T00:00:00Z" });
  values.key_id = id;
  expect((await call("list_keys", 200)).keys).toMatchObject([{ name: "notebook", mine: true, revoked_at: null }]);
  await call("revoke_key", 200);
  await call("revoke_key", 200); // twice changes nothing
  await call("get_usage", 200);
  await call("list_connected_datasets", 200);
  await call("create_secret", 201, { name: "weather", kind: "header", field: "X-Api-Key", value: "the source's key" });
  await call("create_secret", 409, { name: "weather", kind: "header", field: "X-Api-Key", value: "the source's key" });
  await call("replace_secret", 200, { kind: "header", field: "X-Api-Key", value: "a newer key" });
  expect(JSON.stringify(await call("list_secrets", 200))).not.toContain("newer");
  await call("delete_secret", 200);
  const actions = (await call("list_workspace_events", 200)).events.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining([
      "workspace.created",
      "member.invited",
      "member.joined",
      "member.role_changed",
      "key.created",
      "key.revoked",
      "secret.created",
      "secret.deleted",
    ]),
  );
  await call("leave_workspace", 200);
  await call("get_workspace", 404);
  await call("delete_workspace", 400, { name: "Another lab" }, guest);
  await call("delete_workspace", 200, { name: "The Lab" }, guest);

  await call("change_password", 400, { current_password: "wrong", password: "another long passphrase" });
  await call("change_password", 200, { current_password: owner.password, password: "another long passphrase" });
  expect((await call("list_account_events", 200)).events.map(({ action }: { action: string }) => action)).toContain(
    "account.password_set",
  );
  await call("request_password_reset", 202, { email: owner.email });
  await call("request_verification", 202, { email: newEmail("nobody") });
  await call("reset_password", 400, { token: "x", password: "another long passphrase" });
  await call("verify_email", 400, { token: "x" });
  await call("delete_account", 400, { email: owner.email, password: "wrong" });
  values.session_id = (await call("list_sessions", 200)).sessions[0].id;
  await call("end_session", 200);
  await call("get_account", 401);

  await call("delete_account", 200, { email: guest.email, password: guest.password }, guest);
  await call("get_account", 401, undefined, guest);
});
