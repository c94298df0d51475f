import type { CodeLanguage } from "@/lib/describe/code-language";
import { type Block, text } from "@/lib/docs/doc";

/** How to add the connector to one client. */
export interface Guide {
  /** Its value for `?client=`. */
  id: string;
  title: string;
  blocks(at: GuidePlace): readonly Block[];
}

export interface GuidePlace {
  /** The service's URL. */
  base: string;
  /** The connector's URL. */
  connector: string;
}

/** The name under which clients list the connector. */
export const NAME = "parquetry";

export const steps = (...items: readonly string[]): Block => ({ kind: "list", items, ordered: true });

export const code = (label: string, language: CodeLanguage, ...lines: readonly string[]): Block => ({
  kind: "code",
  label,
  language,
  code: lines.join("\n"),
});

export const config = (label: string, value: object): Block => code(label, "json", JSON.stringify(value, null, 2));

/** A link that opens the client itself, which asks before it adds anything. */
export const opener = (client: string, href: string): Block => ({
  kind: "links",
  links: [
    {
      href,
      title: `Add to ${client}`,
      text: `Opens ${client}, which shows the URL and asks for confirmation before adding it.`,
    },
  ],
});

/** What happens on first use. */
export const firstUse = (...sentences: readonly string[]): Block => text("**First use.**", ...sentences);
