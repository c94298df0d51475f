import type { Block } from "@/app/docs/doc";
import type { SamplePlace } from "@/app/docs/samples/sample";
import { TryIt } from "@/app/docs/try/try-it";
import { CodeBlock } from "@/components/code-block";
import { DocFields } from "./doc-fields";
import { DocTable } from "./doc-table";
import { InlineText } from "./inline-text";
import { SampleBlocks } from "./sample-blocks";

/** The blocks of a page. */
export function DocBlocks({ blocks, place }: { blocks: readonly Block[]; place: SamplePlace }) {
  return (
    <div className="doc">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move.
        <DocBlock key={at} block={block} place={place} />
      ))}
    </div>
  );
}

function DocBlock({ block, place }: { block: Block; place: SamplePlace }) {
  switch (block.kind) {
    case "heading":
      return <Heading {...block} />;
    case "text":
      return (
        <p>
          <InlineText text={block.text} />
        </p>
      );
    case "note":
      return (
        <p className="doc-note">
          <InlineText text={block.text} />
        </p>
      );
    case "list":
      return <DocList items={block.items} />;
    case "table":
      return <DocTable {...block} />;
    case "fields":
      return <DocFields {...block} />;
    case "code":
      return <CodeBlock label={block.label} language={block.language} code={block.code} />;
    case "samples":
      return <SampleBlocks {...block} place={place} />;
    case "links":
      return <DocLinks links={block.links} />;
    case "try":
      return <TryIt call={block.call} />;
  }
}

function Heading({ id, level, title }: { id: string; level: 2 | 3; title: string }) {
  const Level = level === 2 ? "h2" : "h3";
  return (
    <Level id={id} className="doc-heading">
      <InlineText text={title} />
      <a href={`#${id}`} className="doc-anchor" aria-label={`Link to ${title.replaceAll("`", "")}`}>
        #
      </a>
    </Level>
  );
}

function DocList({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>
          <InlineText text={item} />
        </li>
      ))}
    </ul>
  );
}

function DocLinks({ links }: { links: Extract<Block, { kind: "links" }>["links"] }) {
  return (
    <ul className="doc-links">
      {links.map(({ id, href, title, text }) => (
        <li key={href + title} id={id}>
          <a className="doc-card" href={href}>
            <span className="doc-card-title">{title}</span>
            <small className="doc-card-text">
              <InlineText text={text} />
            </small>
          </a>
        </li>
      ))}
    </ul>
  );
}
