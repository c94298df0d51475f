import type { z } from "zod";
import type { Context } from "@/lib/access/context";
import { checkBody } from "@/lib/http/read-input";
import type { ToolAccess, ToolHints, ToolReply, ToolTakes } from "@/lib/operations/tool-part";

/** What an agent can call, with its description for a model. */
export interface Tool {
  name: string;
  title: string;
  /** When to call it, and what it returns; under 250 tokens. */
  description: string;
  /** Row of the access table. */
  access: ToolAccess;
  hints: ToolHints;
  /** What a call counts as in its caller's quotas. */
  takes: ToolTakes;
  /** Whether the connector's app shows its results. */
  hasApp?: true | undefined;
  input: z.ZodType;
  output: z.ZodType;
  /** Validates the arguments, whose numbers have kept their digits, and runs the tool. Fails with a Failure. */
  call(args: unknown, ctx: Context): Promise<ToolReply>;
}

type Description<Args> = Omit<Tool, "input" | "call"> & {
  input: z.ZodType<Args>;
  call(args: Args, ctx: Context): Promise<ToolReply>;
};

/** A tool whose arguments are validated by its own schema; unknown ones are rejected. */
export function tool<Args>({ input, call, ...rest }: Description<Args>): Tool {
  return { ...rest, input, call: async (args, ctx) => call(checkBody(args ?? {}, input) as Args, ctx) };
}
