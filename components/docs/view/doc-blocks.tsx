import { ConnectionTest } from "@/components/docs/connection-test/connection-test";
import { TryIt } from "@/components/docs/try/try-it";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import type { Block } from "@/lib/docs/doc";
import { readTable, type SamplePlace } from "@/lib/docs/samples/sample";
import { DocFields } from "./doc-fields";
import { DocTable } from "./doc-table";
import { InlineText } from "./inline-text";
import { SampleBlocks } from "./sample-blocks";

interface BlocksProps {
  blocks: readonly Block[];
  place: SamplePlace;
  /** The tabs selected by the URL, by parameter. */
  chosen?: Readonly<Record<string, string | undefined>>;
}

/** The blocks of a page. */
export function DocBlocks({ blocks, ...at }: BlocksProps) {
  return (
    <div className="doc">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move.
        <DocBlock key={index} block={block} {...at} />
      ))}
    </div>
  );
}

function DocBlock({ block, place, chosen = {} }: { block: Block } & Omit<BlocksProps, "blocks">) {
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
      return <DocList {...block} />;
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
    case "tabs":
      return <DocTabs {...block} place={place} chosen={chosen[block.parameter]} />;
    case "try":
      return <TryIt call={block.call} />;
    case "connection test":
      return <ConnectionTest base={place.base} tableId={readTable(place)} />;
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

function DocList({ items, ordered }: Pick<Extract<Block, { kind: "list" }>, "items" | "ordered">) {
  const List = ordered ? "ol" : "ul";
  return (
    <List>
      {items.map((item) => (
        <li key={item}>
          <InlineText text={item} />
        </li>
      ))}
    </List>
  );
}

type TabsProps = Pick<Extract<Block, { kind: "tabs" }>, "label" | "parameter" | "tabs"> & {
  place: SamplePlace;
  chosen: string | undefined;
};

function DocTabs({ label, parameter, tabs, place, chosen }: TabsProps) {
  const panels = tabs.map(({ id, title, blocks }) => ({
    id,
    title,
    panel: <DocBlocks blocks={blocks} place={place} />,
  }));
  return (
    <div className="doc-tabs">
      <Tabs name={parameter} label={label} tabs={panels} chosen={chosen} parameter={parameter} />
    </div>
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
