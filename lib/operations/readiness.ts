import { readCounts } from "@/lib/limits/counters";
import { database } from "@/lib/store/database";
import { readingEngine } from "./reading-engine";

const PATIENCE_MS = 3000;
const PROBE = [{ subject: "readiness", name: "probe", startAt: new Date(0) }];

/** Whether the database and the counters answer and the query engine is open. */
export async function isReady(): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, false).unref());
  const asked = Promise.all([database().then(({ pool }) => pool.query("SELECT 1")), readCounts(PROBE), readingEngine()]);
  return Promise.race([late, asked.then(() => true).catch(() => false)]);
}
