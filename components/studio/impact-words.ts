import type { ApprovalView } from "@/lib/operations/build/get-approval";

type Impact = NonNullable<ApprovalView["impact"]>;

const LEVELS: Readonly<Record<Impact["level"], string>> = {
  texts: "Only texts or the schedule change.",
  safe: "Steps or checks change; columns, sources and terms do not.",
  shape: "Columns, keys or their order change.",
  sources: "The sources that are read change.",
  publishing: "Licence, publisher, attribution or the list of tables changes.",
};

/** What a revision changes, a sentence each, the widest first. */
export function impactWords({ level, columns, keys_changed, checks_weakened, ...rest }: Impact): string[] {
  return [
    LEVELS[level],
    ...columns.added.map(({ table, column }) => `${table} gains the column ${column}.`),
    ...columns.removed.map(({ table, column }) => `${table} loses the column ${column}.`),
    ...columns.retyped.map(({ table, column, from, to }) => `${table}: ${column} becomes ${to}, was ${from}.`),
    ...columns.renamed.map(({ table, column, to }) => `${table}: ${column} is now called ${to}.`),
    ...keys_changed.map((table) => `${table} has another key, order or contract.`),
    ...checks_weakened.map(({ table, check }) => `${table}: the check ${check} is gone or weaker.`),
    ...rest.new_hosts.map((host) => `A new host is read: ${host}.`),
    ...rest.new_credentials.map((name) => `A new credential is used: ${name}.`),
    ...(rest.schedule_changed ? ["The schedule changes."] : []),
  ];
}
