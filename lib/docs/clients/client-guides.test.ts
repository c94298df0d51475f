import { expect, test } from "vitest";
import { GUIDES } from "./client-guides";

const AT = { base: "https://data.example.net", connector: "https://data.example.net/api/mcp" };

test.each(GUIDES.map(({ id, blocks }) => [id, blocks(AT)] as const))(
  "%s: no command that writes settings lets the shell put the key into them",
  (_id, blocks) => {
    const commands = blocks.flatMap((block) =>
      block.kind === "code" && block.language === "shellscript" ? [block.code] : [],
    );
    for (const command of commands.filter((text) => /\bmcp add\b|--add-mcp/.test(text)))
      expect(command).not.toContain("$");
  },
);

test("Claude's first URL is the one that signs in: its dialog may take the other for an open server", () => {
  const blocks = GUIDES.find(({ id }) => id === "claude")?.blocks(AT) ?? [];
  const urls = blocks.flatMap((block) => (block.kind === "code" ? [block.code] : []));
  expect(urls).toEqual([`${AT.connector}/account`, AT.connector]);
});
