import commands from "@/lib/docs/commands.json" with { type: "json" };
import { type Block, type DocContent, h2, h3, list, text } from "@/lib/docs/doc";

/** Commands that call a service over HTTP, from any computer. */
const REMOTE = [
  "login",
  "logout",
  "whoami",
  "tools",
  "call",
  "inspect",
  "recipe",
  "build",
  "promote",
  "schedule",
  "skill install",
];

export const commandLine: DocContent = ({ place: { base } }) => [
  text("The repository’s command line reads a service from any computer, and runs one. Every command has `--help`."),
  {
    kind: "code",
    label: "In the repository",
    language: "shellscript",
    code: "npm ci\nnpm run -s parquetry -- --help",
  },
  text(
    "Below, `parquetry` stands for `npm run -s parquetry --`. Reading data requires no command line: [plain " +
      "HTTP](/docs) is enough.",
  ),
  h2("device", "Sign a computer in"),
  {
    kind: "code",
    label: "From any computer",
    language: "shellscript",
    code:
      `parquetry login --url ${base}\nparquetry whoami\nparquetry call search '{"query": "carbon dioxide"}'\n` +
      "parquetry logout",
  },
  list(
    `\`login\` prints a code of eight letters. Open [${base}/device](/device) in any browser, sign in, enter the ` +
      "code, check the request, choose the workspace and approve it. The code expires after 15 minutes and works " +
      "once.",
    "Continue only if you started the login yourself. Anyone who sends you a code or a link to that page is " +
      "trying to read data and connect datasets in your name.",
    "The computer receives its own credential, `svc_cli_…`, valid for half a year and only at the " +
      "[connector](/docs/agents). It is stored in a file that only you can read and is never printed.",
    "[Settings, Access](/settings/access#devices) lists the computer under devices and can revoke it; so can " +
      "`logout`. Revocation takes effect on its next call.",
    "`skill install` installs the service’s skills for your agent after verifying their digests.",
  ),
  h2("running", "Run a service"),
  text(
    `${REMOTE.map((command) => `\`${command}\``).join(", ")} need no database and no data folder. All other ` +
      "commands work on the service’s data folder (`PARQUETRY_DATA_DIR`) and database, with the same settings, " +
      "whether or not the service is running. Those that change something are recorded in the audit log.",
  ),
  ...[...new Set(commands.map(familyOf))].flatMap(familyBlocks),
];

type Described = (typeof commands)[number];

const wordsOf = ({ usage }: Described) => usage.split(" ").filter((word) => /^[a-z-]+$/.test(word));
const familyOf = (command: Described): string => wordsOf(command)[0] ?? "";
const idOf = (command: Described): string => wordsOf(command).join("-");

function familyBlocks(family: string): Block[] {
  const members = commands.filter((command) => familyOf(command) === family);
  const [first] = members;
  if (members.length === 1 && first) return [h2(family, `\`${first.usage}\``), ...commandBlocks(first)];
  return [
    h2(family, `\`${family}\``),
    ...members.flatMap((command) => [h3(idOf(command), `\`${command.usage}\``), ...commandBlocks(command)]),
  ];
}

function commandBlocks({ description, options, more }: Described): Block[] {
  const fields = options.map((option) => ({
    name: option.flags,
    type: "",
    isRequired: option.isRequired,
    text: `${option.description}.`.replace(/\.\.$/, "."),
  }));
  return [
    text(description),
    ...(fields.length > 0 ? [{ kind: "fields" as const, label: "Options", fields }] : []),
    ...(more ? [{ kind: "code" as const, label: "More", language: "text" as const, code: more }] : []),
  ];
}
