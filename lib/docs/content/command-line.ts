import commands from "@/lib/docs/commands.json";
import { type Block, type DocContent, h2, h3, list, text } from "@/lib/docs/doc";

/** Commands that speak to a service over HTTP, as anybody's computer can. */
const REMOTE = ["login", "logout", "whoami", "tools", "call", "skill install"];

export const commandLine: DocContent = ({ place: { base } }) => [
  text(
    "The command line of the repository does two things: it reads a service from any computer, and it runs " +
      "one. Every command teaches itself with `--help`.",
  ),
  {
    kind: "code",
    label: "In the repository",
    language: "shellscript",
    code: "npm ci\nnpm run -s parquetry -- --help",
  },
  text(
    "Below, `parquetry` stands for `npm run -s parquetry --`. To read data no command is needed: [plain " +
      "HTTP](/docs) does.",
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
    `\`login\` prints a code of eight letters. Open [${base}/device](/device) in any browser, sign in, type ` +
      "the code, compare what is asked, choose the workspace and allow it. The code is good for 15 minutes and " +
      "for one answer.",
    "Only go on if you started it yourself: whoever sends you a code or a link to that page wants to read, and " +
      "to connect datasets, in your name.",
    "The computer gets a credential of its own, `svc_cli_…`, good for half a year at the " +
      "[connector](/docs/agents) and nowhere else. It is kept in a file that only you can read, and is never " +
      "printed.",
    "[Settings, Access](/settings/access#devices) lists it among the devices and revokes it; so does `logout`. " +
      "From its next call on it is refused.",
    "`skill install` puts the service’s skill where an agent finds it, once its bytes agree with the digest " +
      "that the service names.",
  ),
  h2("running", "Run a service"),
  text(
    `${REMOTE.map((command) => `\`${command}\``).join(", ")} need no database and no data folder. All other ` +
      `commands work on the data folder (\`PARQUETRY_DATA_DIR\`) and database of the service, with the same ` +
      "settings, while the service runs or not, and stand in the audit log when they change something.",
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
