import type { ApprovalView } from "@/lib/operations/approvals/get-approval";

type Impact = NonNullable<ApprovalView["impact"]>;

const LEVELS: Readonly<Record<Impact["level"], string>> = {
  texts: "Only descriptive text or the schedule changes.",
  safe: "Steps or checks change. Columns, sources and terms do not.",
  shape: "Columns, keys or their order change.",
  sources: "The sources change.",
  publishing: "Licence, publisher, attribution or the list of tables changes.",
};

/** What a revision changes, one sentence each, the broadest first. */
export function impactText({ level, columns, checks_weakened, ...rest }: Impact): string[] {
  return [
    LEVELS[level],
    ...columns.added.map(({ table, column }) => `${table} gains the column ${column}.`),
    ...columns.removed.map(({ table, column }) => `${table} loses the column ${column}.`),
    ...columns.retyped.map(({ table, column, from, to }) => `${table}: ${column} becomes ${to}, was ${from}.`),
    ...columns.renamed.map(({ table, column, to }) => `${table}: ${column} is now called ${to}.`),
    ...rest.keys_changed.map((table) => `${table} has a different key, order or time column.`),
    ...rest.contracts_changed.map((table) => `${table} has a different contract.`),
    ...checks_weakened.map(({ table, check }) => `${table}: the check ${check} was removed or weakened.`),
    ...rest.new_hosts.map((host) => `It reads from a new host: ${host}.`),
    ...rest.new_credentials.map((name) => `It uses a new credential: ${name}.`),
    ...(rest.schedule_changed ? ["The schedule changes."] : []),
  ];
}
