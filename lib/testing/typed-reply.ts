import { expect } from "vitest";
import { TOOLBOX } from "@/lib/mcp/tools";

/** Expects that what a tool returned for programs is what its whole schema says, without a member that it lacks. */
export function expectTyped(name: string, structured: unknown): void {
  const output = TOOLBOX.find(name)?.output;
  if (!output) return; // made up for a test
  const { data, error } = output.safeParse(structured);
  expect([name, error?.issues ?? []]).toEqual([name, []]);
  expect([name, data]).toEqual([name, structured]); // the schema would leave out other members
}
