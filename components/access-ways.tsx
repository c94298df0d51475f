import { Bot, FolderSearch, Terminal } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { CodeBlock } from "./code-block";

/** The three ways in, each with something that works when pasted. `query` is a curl command, `base` the service's address. */
export function AccessWays({ query, base }: { query: string | undefined; base: string }) {
  return (
    <div className="grid gap-10 lg:grid-cols-3 lg:gap-8">
      <Way icon={<FolderSearch size={20} aria-hidden="true" />} title="Browse" text="Read what each column means, see how its values spread, look at rows.">
        <CodeBlock label="The catalogue, searched" language="shellscript" code={`curl -s '${base}/api/v2/public/datasets?q=weather'`} />
        <Link href="/datasets" className="link text-sm">
          All datasets
        </Link>
      </Way>
      <Way icon={<Terminal size={20} aria-hidden="true" />} title="Query" text="Filter, group and page over HTTP. The first 100 rows a page need no account.">
        {query && <CodeBlock label="A query without a key" language="shellscript" code={query} />}
        <Link href="/docs" className="link text-sm">
          Quick start
        </Link>
      </Way>
      <Way
        icon={<Bot size={20} aria-hidden="true" />}
        title="Hand it to an agent"
        text="The API describes itself, so a capable agent needs no more than its address."
      >
        <CodeBlock label="A prompt for your agent" language="text" code={agentPrompt(base)} />
        <a href="/api/v2/public/openapi.json" className="link text-sm">
          OpenAPI document
        </a>
      </Way>
    </div>
  );
}

const agentPrompt = (base: string): string =>
  [
    `Read ${base}/api/v2/public/openapi.json,`,
    "find a dataset on weather in the catalogue,",
    "query it without a key,",
    "and answer: which month is the wettest?",
    "Cite the version id and content digest.",
  ].join("\n");

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
