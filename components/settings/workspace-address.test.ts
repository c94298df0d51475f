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
])("%s is opened by an address that names %s after %s was opened", (opened, named, last) => {
  expect(chosenWorkspace(all, named, last)?.id).toBe(opened);
});

test("addresses name the workspace only where there are several", () => {
  expect(workspaceAddress("/studio", workspace("own"), all)).toBe("/studio?workspace=own");
  expect(workspaceAddress("/studio", workspace("own"), [workspace("own")])).toBe("/studio");
});
