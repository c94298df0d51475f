import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** One call of a tool, as an agent made it. */
export interface Exchange {
  tool: string;
  args: Record<string, unknown>;
  reply: string;
}

/** Tokens of arguments and reply, as o200k_base counts them. */
export const tokensOf = ({ tool, args, reply }: Exchange): number =>
  encode(tool).length + encode(JSON.stringify(args)).length + encode(reply).length;

/** The calls as Markdown, without what differs from run to run. `hosts` are shown by other names. */
export function transcriptMarkdown(
  title: string,
  about: string,
  exchanges: readonly Exchange[],
  hosts: Readonly<Record<string, string>>,
): string {
  const ids = new Map<string, string>();
  const idOf = (id: string) => ids.get(id) ?? ids.set(id, `id-${ids.size + 1}`).get(id) ?? id;
  const calls = exchanges.map(({ tool, args: { recipe, ...args }, reply }, at) =>
    [
      `## ${at + 1}. ${tool}`,
      codeBlock("json", JSON.stringify(args, null, 2)),
      ...(recipe === undefined ? [] : ["with the recipe", codeBlock("yaml", String(recipe).trimEnd())]),
      "Reply:",
      codeBlock("", reply),
    ].join("\n\n"),
  );
  return Object.entries(hosts)
    .reduce((text, [host, shown]) => text.replaceAll(host, shown), `# ${title}\n\n${about}\n\n${calls.join("\n\n")}\n`)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, idOf)
    .replace(/sha256:[0-9a-f]{64}/g, "sha256:…")
    .replace(/\d+(?: of \d+)? bytes read/g, "… bytes read")
    .replace(/"((?:runs|bytes)_left_today)":\d+/g, '"$1":…')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME");
}

const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
