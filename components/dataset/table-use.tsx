import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { tableSnippets } from "@/lib/describe/snippets";
import type { Column } from "@/lib/schemas/column";
import type { TableEntry } from "@/lib/schemas/dataset";
import type { Owner } from "./dataset-head";

interface Props {
  table: TableEntry;
  columns: readonly Column[];
  owner: Owner;
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
export function TableUse({ table, columns, owner, markdownUrl, archiveUrl, versionId, chosen }: Props) {
  const given = { ...table, markdown_url: markdownUrl, archive_url: archiveUrl };
  const tabs = tableSnippets(given, columns, { versionId, isPrivate: owner !== undefined }).map((snippet) => ({
    id: snippet.id,
    title: snippet.tab,
    panel: <CodeBlock code={snippet.code} language={snippet.language} label={snippet.note} />,
  }));
  return (
    <>
      <Tabs name="use" label={`Ways to read ${table.name}`} tabs={tabs} chosen={chosen} parameter="use" />
      <p className="mt-3 text-muted text-sm">
        Snippets with a key read it from the environment variable{" "}
        <code className="font-mono text-ink">PARQUETRY_KEY</code>.{" "}
        {owner ? (
          `Create one for ${owner.name}`
        ) : (
          <>
            <a className="link" href="/sign-up">
              Sign up
            </a>{" "}
            and create one
          </>
        )}{" "}
        under{" "}
        <a className="link" href="/settings/access">
          Settings, Access
        </a>
        ; it is free.
      </p>
    </>
  );
}
