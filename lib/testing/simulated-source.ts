import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { database } from "@/lib/store/postgres/database";
import { sealRun } from "@/lib/store/releases/sealing";
import { claimRun, failRun } from "@/lib/store/runs/run-claims";
import type { RecordedDataset } from "./recorded-dataset";

/** The behaviour of a source over time. Times are milliseconds since 1970. */
export interface SimulatedSource {
  /** When its rows change, ascending. */
  changes: readonly number[];
  /** Intervals in which every reading fails. */
  fails?: readonly (readonly [from: number, until: number])[];
}

const CAPS = { all: 100, workspace: 100 };
const SECOND_MS = 1000;

/**
 * A dataset whose service uses a simulated clock: schedules are processed as by workers, and the runs that they queue
 * read the source in its state at that time.
 */
export class SimulatedDataset {
  #readAt: number | undefined;
  runs = 0;

  constructor(
    private readonly dataset: RecordedDataset,
    private readonly source: SimulatedSource,
  ) {}

  /** The first run, by a person. */
  async begin(now: number): Promise<void> {
    const { dataset } = this;
    await dataset.read(new Date(now), [{ source: "source", how: "first" }], { kind: "build" });
    await dataset.release("rows", new Date(now));
    this.#readAt = now;
    await runSchedules(new Date(now + SECOND_MS));
  }

  /** When it is read next. */
  async dueAt(): Promise<number> {
    const { prisma } = await database();
    const { datasetId } = this.dataset;
    const { nextAt, wakeAt } = await prisma.schedule.findUniqueOrThrow({ where: { datasetId } });
    const times = [nextAt, wakeAt].flatMap((at) => at?.getTime() ?? []);
    return Math.min(...times);
  }

  /** Runs one round of the service and the runs that it queued. Returns their number. */
  async work(now: number): Promise<number> {
    const { prisma } = await database();
    await runSchedules(new Date(now));
    const queued = await prisma.run.findMany({
      where: { datasetId: this.dataset.datasetId, state: "queued_full" },
      select: { id: true },
    });
    for (const { id } of queued) await this.#read(id, now);
    await runSchedules(new Date(now + SECOND_MS));
    this.runs += queued.length;
    return queued.length;
  }

  async #read(runId: string, now: number): Promise<void> {
    const at = new Date(now);
    const { dataset } = this;
    const claim = await claimRun(runId, "simulated", CAPS, at);
    if (claim.kind !== "claimed") throw new Error(`not claimed: ${claim.kind}`);
    const isDown = this.source.fails?.some(([from, until]) => from <= now && now < until) ?? false;
    const isOther = !isDown && this.source.changes.some((change) => change <= now && change > (this.#readAt ?? 0));
    const how = isDown ? "failed" : isOther ? "new_rows" : "same_bytes";
    await dataset.observe(at, [{ source: "source", how }], runId);
    if (isDown) {
      await failRun(claim.run, { code: "source_timeout", message: "It did not answer." }, at);
      return;
    }
    this.#readAt = now;
    await sealRun({ run: claim.run, tables: [], artifacts: [], result: () => ({}), now: at }, { actor: "service" });
  }
}
