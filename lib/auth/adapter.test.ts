import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { authAdapter } from "./adapter";

useTestState();

const create = (email: string, name: string) =>
  authAdapter({ actor: "person" }).createUser?.({ email, name, image: null, emailVerified: null } as never);

test("a name or email address from an identity provider must pass our own validation", async () => {
  expect(await create("Octo@Example.com", " Octo ")).toMatchObject({ email: "octo@example.com", name: "Octo" });
  expect(await create("long@example.com", "x".repeat(5000))).toMatchObject({ name: null });
  expect(await create("turned@example.com", "a\u202eb\u0000")).toMatchObject({ name: null });
  await expect(create(`${"x".repeat(300)}@example.com`, "Octo")).rejects.toThrow();
});
