import { expect, test } from "vitest";
import { errorsOf } from "./operation-errors";
import { OPERATIONS } from "./registry";

test("no operation lists an error that its row, quota, path or body implies", () => {
  const repeated = OPERATIONS.flatMap(({ errors = [], ...op }) => {
    const implied = errorsOf(op);
    return errors.filter((code) => implied.includes(code)).map((code) => `${op.name}: ${code}`);
  });
  expect(repeated).toEqual([]);
});
