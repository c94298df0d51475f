import type { ContentBlock, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Access } from "@/lib/access/access-table";
import type { Context } from "@/lib/access/context";
import { checkBody } from "@/lib/http/read-input";
import { plainNumbers } from "./exact-numbers";

export interface ToolReply {
  /** Fits the tool's `output`; numbers that a double cannot hold are LosslessNumbers. */
  structured: Readonly<Record<string, unknown>>;
  /** For the model to read; the structured content as JSON when absent. */
  text?: string;
  /** Beside the text. */
  links?: readonly ContentBlock[];
}

/** What an agent may call: an operation, or a view of one, under words for a model. */
export interface Tool {
  name: string;
  title: string;
  /** When to call it and what comes back; under 250 tokens. */
  description: string;
  /** Row of the access table. */
  access: Extract<Access, `connector_${string}`>;
  hints: Required<Omit<ToolAnnotations, "title">>;
  input: z.ZodType;
  output: z.ZodType;
  /** Checks the arguments, whose numbers have kept their digits, and answers. Refuses with a Failure. */
  call(args: unknown, ctx: Context): Promise<ToolReply>;
}

/** Nothing changes, however often it is called, and nobody outside the service hears of it. */
export const READING = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

type Description<Args> = Omit<Tool, "input" | "call"> & {
  input: z.ZodType<Args>;
  call(args: Args, ctx: Context): Promise<ToolReply>;
};

/** A tool whose arguments are checked by its own schema; unknown ones are refused. */
export function tool<Args>({ input, call, ...rest }: Description<Args>): Tool {
  return { ...rest, input, call: async (args, ctx) => call(checkBody(args ?? {}, input) as Args, ctx) };
}

export const NO_ARGUMENTS = z.strictObject({});

/** The arguments as an object of plain values, for what reads them loosely. */
export const plainArguments = (args: unknown): Record<string, unknown> =>
  plainNumbers(args ?? {}) as Record<string, unknown>;
