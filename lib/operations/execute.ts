import { admitToWorkspace, requireSession } from "@/lib/access/admit";
import type { Context } from "@/lib/access/context";
import type { Input, Operation } from "./operation";

/**
 * Runs an operation from inside (pages, the connector), by the same access table as over HTTP. `ctx` holds key or
 * session already checked.
 */
export async function execute<Path, Query, Body, Located, Output>(
  op: Operation<Path, Query, Body, Located, Output>,
  input: Input<Path, Query, Body>,
  ctx: Context,
): Promise<Output> {
  requireSession(op.access, ctx);
  await admitToWorkspace(op.access, input.path, ctx);
  return op.run(input, (await op.locate?.(input.path, ctx)) as Located, ctx);
}
