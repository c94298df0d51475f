import type { Column } from "@/lib/schemas/column";
import type { TableEntry } from "@/lib/schemas/dataset";
import { CodeBlock } from "./code-block";
import { tableSnippets } from "./snippets";
import { Tabs } from "./tabs";

/** Snippets with this table's own address and columns. */
export function TableUse({ table, columns }: { table: TableEntry; columns: readonly Column[] }) {
  const tabs = tableSnippets(table, columns).map((snippet) => ({
    id: snippet.id,
    title: snippet.tab,
    panel: <CodeBlock code={snippet.code} language={snippet.language} label={snippet.note} />,
  }));
  return <Tabs name={`use-${table.slug}`} label={`Ways to read ${table.name}`} tabs={tabs} />;
}
