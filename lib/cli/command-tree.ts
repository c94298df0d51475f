import type { Command } from "commander";

/** A command's documentation. */
export interface DescribedCommand {
  /** With its parents and arguments, such as `user show <id>`. */
  usage: string;
  description: string;
  options: { flags: string; description: string; isRequired: boolean }[];
  /** The text that its help adds. */
  more: string;
}

/** The executable commands of a program, in order. Pure. */
export function describeCommands(program: Command, parents = ""): DescribedCommand[] {
  return program.commands.flatMap((command) => {
    const path = `${parents}${command.name()}`;
    return command.commands.length > 0 ? describeCommands(command, `${path} `) : [described(command, path)];
  });
}

function described(command: Command, path: string): DescribedCommand {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return {
    usage: [path, ...args].join(" "),
    description: command.description(),
    options: command.options.map(({ flags, description, mandatory }) => ({
      flags,
      description,
      isRequired: mandatory,
    })),
    more: moreHelp(command),
  };
}

/** The text after a command's help, without a terminal's colours and widths. */
function moreHelp(command: Command): string {
  const printed: string[] = [];
  command.configureOutput({ writeOut: (text) => void printed.push(text), getOutHelpWidth: () => 10_000 });
  command.outputHelp();
  return printed.join("").slice(command.helpInformation().length).trim();
}
