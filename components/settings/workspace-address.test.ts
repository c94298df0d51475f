import { expect, test } from "vitest";
import { chosenWorkspace, workspaceAddress } from "./workspace-address";

const workspace = (id: string) => ({ id, personal: id === "own" }) as Parameters<typeof chosenWorkspace>[0][number];
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

test("URLs name the workspace only if there are several", () => {
  expect(workspaceAddress("/studio", workspace("own"), all)).toBe("/studio?workspace=own");
  expect(workspaceAddress("/studio", workspace("own"), [workspace("own")])).toBe("/studio");
});
