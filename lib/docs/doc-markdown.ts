import type { Block, Field } from "./doc";
import type { Sample, SamplePlace } from "./samples/sample";

/** A docs page as Markdown: what people read, without the try-it form. URLs within the site are made absolute. Pure. */
export function docMarkdown(
  page: { title: string; summary: string; blocks: readonly Block[] },
  place: SamplePlace,
): string {
  const parts = page.blocks.flatMap((block) => blockParts(block, place));
  const text = [`# ${page.title}`, `> ${page.summary}`, ...parts].join("\n\n");
  return `${text.replace(/\]\(\//g, `](${place.base}/`)}\n`;
}

function blockParts(block: Block, place: SamplePlace): string[] {
  switch (block.kind) {
    case "heading":
      return [`${"#".repeat(block.level)} ${block.title}`];
    case "text":
      return [block.text];
    case "note":
      return [`> ${block.text}`];
    case "list":
      return [block.items.map((item, at) => `${block.ordered ? `${at + 1}.` : "-"} ${item}`).join("\n")];
    case "links":
      return [block.links.map(({ href, title, text }) => `- [${title}](${href}): ${text}`).join("\n")];
    case "table":
      return [
        tableText(
          block.head,
          block.rows.map(({ cells }) => cells),
        ),
      ];
    case "fields":
      return [block.fields.map(fieldText).join("\n")];
    case "code":
      return [`${block.label}:`, fenced(block.code, block.language)];
    case "samples":
      return block.samples.flatMap((sample) => sampleParts(sample, place));
    case "tabs":
      return block.tabs.flatMap(({ title, blocks }) => [
        `### ${title}`,
        ...blocks.flatMap((inner) => blockParts(inner, place)),
      ]);
    case "try":
    case "connection test":
      return [];
  }
}

function sampleParts(sample: Sample, place: SamplePlace): string[] {
  const way = sample.tab ? ` (${sample.tab})` : "";
  const notes = [
    sample.needsKey && "reads a use key from PARQUETRY_KEY",
    sample.needsLiveKey && "reads a live key from PARQUETRY_LIVE_KEY",
    sample.unrun && "not run by our tests",
  ]
    .filter(Boolean)
    .join("; ");
  const head = `${sample.label}${way}${notes ? `; ${notes}` : ""}:`;
  return [
    head,
    fenced(sample.code(place), sample.language),
    ...(sample.output ? ["Prints:", fenced(sample.output, sample.outputIs === "json" ? "json" : "text")] : []),
  ];
}

function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const cellText = (text: string) => text.replace(/\s+/g, " ").replaceAll("|", "\\|");

const fieldText = ({ name, type, isRequired, text }: Field): string => {
  const facts = [type, isRequired && "required"].filter(Boolean).join(", ");
  return `- \`${name}\`${facts ? ` (${facts})` : ""}${text ? `: ${text}` : ""}`;
};

const fenced = (code: string, language: string) => `\`\`\`${language === "text" ? "" : language}\n${code}\n\`\`\``;
