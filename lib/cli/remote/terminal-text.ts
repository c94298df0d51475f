/**
 * The calls that the service suggests to agents, and the corresponding commands; repetition is bounded, so that any
 * text takes linear time.
 */
const COMMANDS: readonly (readonly [call: RegExp, command: string])[] = [
  [/confirm_run \{"run_id":"([^"{}]{1,100})"\}/g, "parquetry build confirm $1"],
  [/get_run \{"run_id":"([^"{}]{1,100})"[^{}]{0,300}\}/g, "parquetry build watch $1"],
  [/approve_full_run \{"run_id":"([^"{}]{1,100})"[^{}]{0,300}\}/g, "parquetry build approve $1"],
  [/start_run \{"dataset":"([^"{}]{1,100})"\}/g, "parquetry build start $1"],
  [/start_run \{"dataset":"([^"{}]{1,100})","revision":(\d{1,9})\}/g, "parquetry build start $1 --revision $2"],
  [/promote_table \{"dataset":"([^"{}]{1,100})"\}/g, "parquetry promote $1"],
  [/query_table \{"table_id":"([^"{}]{1,200})"[^{}]{0,300}\}/g, `parquetry call query_table '{"table_id":"$1"}'`],
  [/get_my_dataset \{"dataset":"([^"{}]{1,100})"\}/g, `parquetry call get_my_dataset '{"dataset":"$1"}'`],
  [/(?:register_recipe|propose_revision) without dry_run/g, "parquetry recipe push without --check"],
  [
    /Show your person (\S{1,400}); nothing runs until they approve there\./g,
    "Approve it at $1; nothing runs until then.",
  ],
  [
    /Show your person (\S{1,400}); nothing is public or active until an owner approves there\./g,
    "An owner approves it at $1; nothing is public or active until then.",
  ],
  [/\bquery_run\b/g, "parquetry build rows"],
  [/\bstart_run\b/g, "parquetry build start"],
  [/\bconfirm_run\b/g, "parquetry build confirm"],
  [/\bapprove_full_run\b/g, "parquetry build approve"],
  [/\bregister_recipe\b/g, "parquetry recipe push"],
  [/\bpromote_table\b/g, "parquetry promote"],
  [/\blist_source_credentials\b/g, "parquetry credentials"],
  [/\bstart_source_inspection\b/g, "parquetry inspect"],
  [/(?<!call )\b(get_run|get_my_dataset|get_table|list_runs|propose_revision|update_dataset)\b/g, "parquetry call $1"],
];

/** The next step that a reply suggests, as a terminal command. */
export const inTerminal = (next: string): string =>
  COMMANDS.reduce((text, [call, command]) => text.replaceAll(call, command), next);
