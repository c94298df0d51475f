import type { CodeLanguage } from "@/lib/describe/code-language";
import { type Block, text } from "@/lib/docs/doc";

/** How the connector is added to one client. */
export interface Guide {
  /** As `?client=` names it. */
  id: string;
  title: string;
  blocks(at: GuidePlace): readonly Block[];
}

export interface GuidePlace {
  /** The service's address. */
  base: string;
  /** The connector's. */
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
    { href, title: `Add to ${client}`, text: `Opens ${client}, which shows the address and asks before it adds it.` },
  ],
});

/** What happens when it is used first. */
export const firstUse = (...sentences: readonly string[]): Block => text("**At first use.**", ...sentences);
