/** What the service tells agents to call, and the command that does it; bounded, so that any text takes linear time. */
const COMMANDS: readonly (readonly [call: RegExp, command: string])[] = [
  [/confirm_run \{"run_id":"([^"{}]{1,100})"\}/g, "parquetry build confirm $1"],
  [/get_run \{"run_id":"([^"{}]{1,100})"[^{}]{0,300}\}/g, "parquetry build watch $1"],
  [/approve_full_run \{"run_id":"([^"{}]{1,100})"[^{}]{0,300}\}/g, "parquetry build approve $1"],
  [/start_run \{"dataset":"([^"{}]{1,100})"\}/g, "parquetry build start $1"],
  [/promote_table \{"dataset":"([^"{}]{1,100})"\}/g, "parquetry promote $1"],
  [/query_table (\{"table_id":"[^"{}]{1,200}"\})/g, "parquetry call query_table '$1'"],
  [/query_run/g, "parquetry build rows"],
];

/** The next step that a reply names, in the words of a terminal. */
export const inTerminal = (next: string): string =>
  COMMANDS.reduce((text, [call, command]) => text.replaceAll(call, command), next);
