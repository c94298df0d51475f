import type { Fault } from "@/lib/kernel/errors";
import { oneLine } from "./one-line";

type Example = Readonly<Record<string, unknown>>;

/**
 * Adds an example to shape faults: of the key that they are in, or of the entire part, each example once. Faults of
 * closed lists already come with the list.
 */
export function withExample(faults: readonly Fault[], pointer: string, examples: readonly Example[]): Fault[] {
  const shown = new Set<string>();
  return faults.map((fault) => {
    const key = fault.pointer.slice(pointer.length + 1).split("/")[0] ?? "";
    const having = examples.find((example) => Object.hasOwn(example, key));
    const example = having ? { [key]: having[key] } : examples[0];
    const isValue = fault.code !== "invalid_request" && (fault.allowed !== undefined || !having);
    const text = example && oneLine(example);
    if (text === undefined || isValue || shown.has(text)) return fault;
    shown.add(text);
    return { ...fault, message: `${fault.message} For example: ${text}` };
  });
}
