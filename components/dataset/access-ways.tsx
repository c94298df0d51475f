import { Bot, FolderSearch, Terminal } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { anonymousQueryUrl, curlQuery, type QueryBody } from "@/lib/describe/snippets";

interface Example {
  entry: { title: string; slug: string };
  table: { query_url: string };
  query: QueryBody;
}

/** The three kinds of access, each with an example ready to paste. `base` is the service's URL. */
export function AccessWays({ example, base }: { example: Example | undefined; base: string }) {
  return (
    <div className="grid gap-10 lg:grid-cols-3 lg:gap-8">
      <Way
        icon={<FolderSearch size={20} aria-hidden="true" />}
        title="Browse"
        text="Read column descriptions, value distributions and rows."
      >
        <CodeBlock
          label="In your browser"
          language="text"
          code={example ? `${base}/datasets/${example.entry.slug}` : `${base}/datasets`}
        />
        <Link href="/datasets" className="link text-sm">
          All datasets
        </Link>
      </Way>
      <Way
        icon={<Terminal size={20} aria-hidden="true" />}
        title="Query"
        text="Filter, group and paginate over HTTP. Up to 100 rows per page without an account."
      >
        {example && (
          <CodeBlock
            label="In a terminal"
            language="shellscript"
            code={curlQuery(anonymousQueryUrl(example.table), example.query)}
          />
        )}
        <Link href="/docs" className="link text-sm">
          Quick start
        </Link>
      </Way>
      <Way
        icon={<Bot size={20} aria-hidden="true" />}
        title="Connect an agent"
        text="Add this URL to Claude, ChatGPT, Cursor, VS Code or another client to search, query and cite datasets."
      >
        <CodeBlock label="Connector URL" language="text" code={`${base}/api/mcp`} />
        <CodeBlock
          label="Or use this prompt with agents that don’t support MCP"
          language="text"
          code={agentPrompt(base, example)}
        />
        <Link href="/docs/connect" className="link text-sm">
          Set-up for each client, and a connection test
        </Link>
      </Way>
    </div>
  );
}

/** One paragraph, which wraps at the reader's width. */
function agentPrompt(base: string, example: Example | undefined): string {
  const openapi = `${base}/api/v2/public/openapi.json`;
  const read = example ? `Read ${base}/datasets/${example.entry.slug}/llms.txt and ${openapi}.` : `Read ${openapi}.`;
  return `${read} Query the table without a key, summarise the newest rows, and cite the version ID and digest.`;
}

function Way({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <h3 className="flex items-center gap-2.5 text-lg">
        <span className="text-accent">{icon}</span>
        {title}
      </h3>
      <p className="text-muted text-sm lg:min-h-11">{text}</p>
      {children}
    </section>
  );
}
