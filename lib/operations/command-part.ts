import type { Context } from "@/lib/access/context";

type Row = Readonly<Record<string, unknown>>;

/** What a command prints for a person; with --json it prints the operation's output instead. */
export interface CommandReply {
  /** Lines of `name  value`. */
  record?: Row;
  /** Tables below it. */
  tables?: readonly (readonly Row[])[];
  /** One line instead, such as `no secrets`. */
  line?: string;
}

/**
 * An operation as a command of the administrator, on the service's own machine; absent fields default to the
 * operation's own. `lib/cli/operation-commands.ts` makes the command.
 */
export interface CommandPart {
  /**
   * The words and positional arguments, such as `version withdraw <version-id>`; arguments are named like the input's
   * members, and all other members are options.
   */
  usage: string;
  /** Default: the description. */
  description?: string;
  /** The placeholder for an option's value in the help, such as `id` for `--workspace <id>`; its name if absent. */
  valueNames?: Readonly<Record<string, string>>;
  /** Members that are given as the path of a text file; an empty string is kept as it is. */
  files?: readonly string[];
  /** Printed after the options: important notes, and examples. */
  help?: string;
  /** The part of the output that the command shows, also with --json; all of it if absent. */
  // biome-ignore lint/suspicious/noExplicitAny: operations have many outputs; each command names its own
  result?(output: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  view?(output: any, ctx: Context): CommandReply;
  /** A message to the person in addition to the output; the exit status is then 1. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  problem?(output: any): string | undefined;
  /** A message to the person in addition to the output, on success. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  warning?(output: any): string | undefined;
  /** Whether the exit status is 1, for outputs that say why themselves. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  failed?(output: any): boolean;
}
