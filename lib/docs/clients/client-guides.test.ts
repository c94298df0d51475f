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
