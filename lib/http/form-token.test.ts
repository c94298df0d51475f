import { expect, test } from "vitest";
import { useTestState } from "@/lib/testing/database";
import { isStudioForm, studioFields } from "./form-token";

useTestState();

const ABOUT = { form: "decide", workspace_id: "w", dataset: "levels", run_id: "r", recipe_digest: "sha256:1" };

test("a form is valid only as rendered, in the session that saw the page", () => {
  const made = studioFields("session", ABOUT);
  expect(isStudioForm({ ...made, decision: "approve", reason: "" }, "session")).toBe(true);
  expect(isStudioForm(made, "another session")).toBe(false);
  expect(isStudioForm(ABOUT, "session")).toBe(false);
});

test.each(["form", "workspace_id", "dataset", "run_id", "recipe_digest"])("its %s cannot be changed", (name) => {
  const made = studioFields("session", ABOUT);
  expect(isStudioForm({ ...made, [name]: "other" }, "session")).toBe(false);
});

test("who may approve cannot be changed", () => {
  const made = studioFields("session", { ...ABOUT, form: "approval_policy", approval_policy: "person" });
  expect(isStudioForm({ ...made, approval_policy: "agent_private" }, "session")).toBe(false);
});

test("a version to roll back to cannot be added", () => {
  expect(isStudioForm({ ...studioFields("session", ABOUT), version_id: "v" }, "session")).toBe(false);
});
