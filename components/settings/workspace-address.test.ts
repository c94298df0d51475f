import { expect, test } from "vitest";
import { chosenWorkspace, workspaceAddress } from "./workspace-address";

type Workspace = Parameters<typeof chosenWorkspace>[0][number];
const workspace = (id: string, active = false) =>
  ({ id, personal: id === "own", subscription_active: active }) as Workspace;
const all = [workspace("own"), workspace("team")];

test.each([
  ["own", undefined, undefined],
  ["team", undefined, "team"],
  ["own", "own", "team"],
  ["team", "team", "own"],
  ["own", undefined, "left long ago"],
  [undefined, "another's", "team"],
  [undefined, ["own", "team"], "own"],
])("%s is opened by a URL with %s after %s was opened", (opened, named, last) => {
  expect(chosenWorkspace(all, named, last)?.id).toBe(opened);
});

test("a browser that has opened none opens the personal one, or the first that has a plan", () => {
  const paid = [workspace("own"), workspace("team", true)];
  expect(chosenWorkspace(paid, undefined, undefined)?.id).toBe("team");
  expect(chosenWorkspace(paid, undefined, "own")?.id).toBe("own");
});

test("URLs name the workspace only if there are several", () => {
  expect(workspaceAddress("/studio", workspace("own"), all)).toBe("/studio?workspace=own");
  expect(workspaceAddress("/studio", workspace("own"), [workspace("own")])).toBe("/studio");
});
