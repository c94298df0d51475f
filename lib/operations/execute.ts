import { admitToWorkspace, authorize } from "@/lib/access/authorize";
import { asCallerOf } from "@/lib/access/caller-turns";
import type { Context } from "@/lib/access/context";
import type { InputSchemas, Operation, OperationInput, RunInput } from "./operation";
import { requireStorable } from "./storable-input";

/**
 * Runs an operation for internal callers (pages, the connector, forms), with the same access table as over HTTP: fails
 * if the caller's cell in its row says so, or with invalid_value if a string cannot be stored. Counts against no quota.
 */
export async function execute<S extends InputSchemas, Located, Output>(
  op: Operation<S, Located, Output>,
  input: OperationInput<S>,
  caller: Context,
): Promise<Output> {
  return (await executeLocated(op, input, caller)).output;
}

/** The same, and also returns what `locate` found. */
export async function executeLocated<S extends InputSchemas, Located, Output>(
  op: Operation<S, Located, Output>,
  input: OperationInput<S>,
  caller: Context,
): Promise<{ output: Output; located: Located }> {
  const { path = {}, query = {}, body } = input as { path?: unknown; query?: unknown; body?: unknown };
  requireStorable(path, query, op.input.file || op.input.rawBody ? undefined : body);
  const ctx = await admitToWorkspace(op.access, path, authorize(op.access, caller));
  const checked = { path, query, body } as Omit<RunInput<S, Located>, "located">;
  const located = (await op.locate?.(checked.path, ctx)) as Located;
  return { output: await asCallerOf(ctx, () => op.run({ ...checked, located }, ctx)), located };
}
