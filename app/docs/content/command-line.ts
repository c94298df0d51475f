import commands from "@/app/docs/commands.json";
import { type Block, type DocContent, h2, h3, text } from "@/app/docs/doc";

export const commandLine: DocContent = () => [
  text(
    "For those who run a service. Every command teaches itself with `--help`, and stands in the audit log when it changes something. It works on the data folder (`PARQUETRY_DATA_DIR`) and database of the service, with the same settings, while the service runs or not.",
  ),
  {
    kind: "code",
    label: "In the repository",
    language: "shellscript",
    code: "npm run -s parquetry -- --help\nnpm run -s parquetry -- dataset list --json",
  },
  text("Below, `parquetry` stands for `npm run -s parquetry --`. To read data no command is needed: [plain HTTP](/docs) does."),
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
  return [h2(family, `\`${family}\``), ...members.flatMap((command) => [h3(idOf(command), `\`${command.usage}\``), ...commandBlocks(command)])];
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
