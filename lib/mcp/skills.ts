import type { McpServer } from "@modelcontextprotocol/server";
import { type Skill, type SkillSource, SkillsExtension, skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { skillTexts } from "@/lib/describe/agent-skill";

const FILE = "SKILL.md";
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** The skills of /.well-known/agent-skills through the connector, with the same bytes and digests. */
export const addSkills = (server: McpServer, base: string): void =>
  new SkillsExtension({ source: sourceOf(base), cacheHint: CACHE_HINT, strict: true }).attach(server);

function sourceOf(base: string): SkillSource {
  const skills = skillTexts(base);
  const find = (uri: string) => skills.find(({ name }) => uriOf(name) === uri);
  const entry = ({ name, text }: (typeof skills)[number]): Promise<Skill> => skillEntry(name, { [FILE]: text });
  return {
    list: async () => ({ skills: await Promise.all(skills.map(entry)) }),
    get: async (uri) => {
      const found = find(uri);
      return found && entry(found);
    },
    read: async (uri) => {
      const found = find(uri);
      return found && { text: found.text, mimeType: "text/markdown" };
    },
    listResources: async () =>
      skills.map(({ name, description }) => ({ uri: uriOf(name), name, description, mimeType: "text/markdown" })),
  };
}

const uriOf = (name: string): string => `skill://${name}/${FILE}`;
