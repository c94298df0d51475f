import { OPERATORS, type Operator } from "@/lib/engine/types/operators";

/**
 * A filter operator that the service does not have. Importing this file adds it; import it before the code under test.
 */
(OPERATORS as Record<string, Operator>).outside = {
  arity: "two",
  families: ["numeric", "date", "timestamp"],
  english: "is outside",
  sql: (c, [a, b]) => `(${c} < ${a} OR ${c} > ${b})`,
};
