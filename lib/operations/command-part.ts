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
 * An operation as a command of the administrator, on the service's own machine; whatever is absent is the
 * operation's own.
 * `lib/cli/operation-commands.ts` makes the command.
 */
export interface CommandPart {
  /**
   * The words and positional arguments, such as `version withdraw <version-id>`; arguments are named as the input's
   * members are, and all other members are options.
   */
  usage: string;
  /** The description when absent. */
  description?: string;
  /** What stands for an option's value in the help, such as `id` for `--workspace <id>`; its name when absent. */
  valueNames?: Readonly<Record<string, string>>;
  /** Members that are given as the path of a text file; an empty string remains one. */
  files?: readonly string[];
  /** Printed after the options: what one must know, and examples. */
  help?: string;
  /** What the command shows of the output, with --json too; all of it when absent. */
  // biome-ignore lint/suspicious/noExplicitAny: operations have many outputs; each command names its own
  result?(output: any): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  view?(output: any, ctx: Context): CommandReply;
  /** What to tell a person beside the output; the exit status is then 1. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  problem?(output: any): string | undefined;
  /** What to tell a person beside the output where all went well. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  warning?(output: any): string | undefined;
  /** Whether the exit status is 1, where the output itself says why. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  failed?(output: any): boolean;
}
