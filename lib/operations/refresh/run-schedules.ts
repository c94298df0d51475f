import { accountRuns } from "./account-runs";
import { planRefreshes } from "./plan-refreshes";
import { startRefreshes } from "./start-refreshes";

/**
 * One round of the schedules of all datasets: plans what is approved, evaluates what has ended, starts what is due. A
 * failure of one dataset is reported once the others have had their turn.
 */
export async function runSchedules(now: Date): Promise<void> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  await planRefreshes(now, onError);
  await accountRuns(now, onError);
  await startRefreshes(now, onError);
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, "schedules");
}
