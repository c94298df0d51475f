import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { tableSnippets } from "@/lib/describe/snippets";
import type { Column } from "@/lib/schemas/column";
import type { TableEntry } from "@/lib/schemas/dataset";

interface Props {
  table: TableEntry;
  columns: readonly Column[];
  /** The dataset's Markdown document, for agents. */
  markdownUrl: string;
  /** The dataset's .zip; only if its current versions are shown. */
  archiveUrl?: string | undefined;
  /** An immutable version to read. Default: the current version. */
  versionId?: string | undefined;
  /** The tab selected by the URL. */
  chosen?: string | undefined;
}

/** Snippets with this table's own URL and columns. */
export function TableUse({ table, columns, markdownUrl, archiveUrl, versionId, chosen }: Props) {
  const tabs = tableSnippets({ ...table, markdown_url: markdownUrl, archive_url: archiveUrl }, columns, versionId).map(
    (snippet) => ({
      id: snippet.id,
      title: snippet.tab,
      panel: <CodeBlock code={snippet.code} language={snippet.language} label={snippet.note} />,
    }),
  );
  return (
    <>
      <Tabs name="use" label={`Ways to read ${table.name}`} tabs={tabs} chosen={chosen} parameter="use" />
      <p className="mt-3 text-muted text-sm">
        Snippets with a key read it from the environment variable{" "}
        <code className="font-mono text-ink">PARQUETRY_KEY</code>.{" "}
        <a className="link" href="/sign-up">
          Sign up
        </a>{" "}
        and create one under{" "}
        <a className="link" href="/settings/access">
          Settings, Access
        </a>
        ; it is free.
      </p>
    </>
  );
}
