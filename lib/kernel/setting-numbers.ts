import { z } from "zod";

/** What a timer of Node.js and an integer of PostgreSQL hold: a larger number would end every wait at once, or fail. */
const WHOLE_MAX = 2 ** 31 - 1;
export const whole = (fallback: number, min = 1, max = WHOLE_MAX) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
export const seconds = (fallback: number) => whole(fallback, 1, Math.floor(WHOLE_MAX / 1000));
/** A hundred years, so that dates in the past and in the future remain ones that the database knows. */
export const days = (fallback: number) => whole(fallback, 1, 36_500);
/** A job of the queue takes a day at most, with ten minutes around the run itself (`lib/store/builds/jobs.ts`). */
export const JOB_SECONDS_MAX = 86_400 - 600;
export const bytes = (fallback: number) => whole(fallback, 1, Number.MAX_SAFE_INTEGER);
