import { env } from "@/lib/kernel/env";
import { SourceFailure } from "@/lib/sources/source-failure";
import { buildUsage, recordFetchedBytes } from "@/lib/store/runs/build-quota";

const RECORDED_EVERY_BYTES = 8 * 1024 * 1024;

/** What a workspace may still fetch today. Bytes count as they arrive, including those of reads that fail. */
export class FetchBudget {
  /** Aborted with quota_exhausted once the day's quota is used up. */
  readonly signal: AbortSignal;
  private readonly control = new AbortController();
  readonly workspaceId: string;
  private recorded: number;
  private pending = 0;

  private constructor(workspaceId: string, recorded: number) {
    this.workspaceId = workspaceId;
    this.recorded = recorded;
    this.signal = this.control.signal;
    this.judge();
  }

  static async open(workspaceId: string): Promise<FetchBudget> {
    return new FetchBudget(workspaceId, (await buildUsage(workspaceId, new Date())).bytes);
  }

  /** Counts bytes that arrived. */
  readonly count = (bytes: number): void => {
    this.pending += bytes;
    this.judge();
    if (this.pending >= RECORDED_EVERY_BYTES) void this.record().catch(() => undefined); // recorded with the next ones
  };

  /** Records the bytes that arrived since the last time. */
  async record(): Promise<void> {
    const bytes = this.pending;
    if (bytes === 0) return;
    this.pending = 0;
    try {
      this.recorded = Math.max(this.recorded, await recordFetchedBytes(this.workspaceId, bytes, new Date()));
      this.judge();
    } catch (error) {
      this.pending += bytes;
      throw error;
    }
  }

  private judge(): void {
    const { BUILD_BYTES_DAY } = env();
    if (this.recorded + this.pending < BUILD_BYTES_DAY || this.control.signal.aborted) return;
    const message = `Daily quota of ${BUILD_BYTES_DAY.toLocaleString("en")} fetched bytes reached.`;
    this.control.abort(new SourceFailure("quota_exhausted", `${message} Start the run after midnight UTC.`));
  }
}
