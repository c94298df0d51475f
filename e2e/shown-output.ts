import type { Sample } from "@/lib/docs/samples/sample";

/** The output that the docs show, as a pattern: `…` matches anything. White space is significant except in JSON. */
export function shownOutput({ output = "", outputIs }: Pick<Sample, "output" | "outputIs">): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const bare = outputIs === "json" ? output.replace(/\s+/g, "").replace(/,?…,?/g, "…") : output;
  return new RegExp(`^${bare.split("…").map(literal).join("[\\s\\S]*")}$`);
}
