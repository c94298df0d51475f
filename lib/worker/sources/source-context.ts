import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/kernel/env";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { ReadingContext, SourceReading } from "@/lib/sources/read-source";
import { serviceConnecting } from "@/lib/sources/service-connecting";
import { takeHostSlot } from "@/lib/store/sources/source-hosts";
import type { Reading } from "./read-sources";

const SAMPLE_SECONDS = 60;
export const IDLE_MS = 30_000;
/** Formats whose readers need the entire file. */
const WHOLE: readonly string[] = ["xlsx", "parquet", "json"];

type WebSource = Extract<RecipeSource, { kind: "http" | "package" }>;

/** A package is read completely, so that its digest can be checked. */
export function limitsOf(
  { kind, limits, reader }: WebSource,
  { material: { mode } }: Pick<Reading, "material">,
): SourceReading["limits"] {
  const { SOURCE_BYTES, SOURCE_BYTES_SAMPLE, SOURCE_SECONDS } = env();
  const mayCut = mode === "sample" && kind === "http" && !WHOLE.includes(reader.format);
  const most = Math.min(limits?.download_bytes ?? Infinity, mayCut ? SOURCE_BYTES_SAMPLE : SOURCE_BYTES);
  const seconds = Math.min(limits?.seconds ?? Infinity, mode === "sample" ? SAMPLE_SECONDS : SOURCE_SECONDS);
  return { bytes: most, idleMs: IDLE_MS, mayCut, seconds };
}

/** What reading needs from this process. Workspaces take turns at each host, over all workers. */
export function contextOf({
  pulse,
  budget,
}: Pick<Reading, "budget"> & { pulse: { signal: AbortSignal } }): ReadingContext {
  const signal = AbortSignal.any([pulse.signal, budget.signal]);
  const wait = async (ms: number) => void (await sleep(ms, undefined, { signal }));
  return {
    connecting: serviceConnecting(),
    onBytes: budget.count,
    signal,
    wait,
    turn: (host) => takeHostSlot({ host, workspaceId: budget.workspaceId }, wait),
  };
}
