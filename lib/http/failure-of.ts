import { Failure, fail } from "@/lib/kernel/errors";
import { databaseFailure } from "@/lib/store/postgres/database-failure";

/** Anything thrown, as a Failure: `internal` for other errors. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return databaseFailure(thrown) ?? fail("internal", { cause: thrown });
}
