import type { Metadata } from "next";
import Link from "next/link";
import { findDatasets, readSchema } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { CodeBlock } from "@/components/code-block";
import { FactTable } from "@/components/fact-table";
import { anonymousQueryUrl, curlQuery, exampleQuery } from "@/components/snippets";
import { AGGREGATES } from "@/lib/engine/aggregates";
import { OPERATORS } from "@/lib/engine/operators";
import { env } from "@/lib/env";
import { ERRORS } from "@/lib/errors";
import type { TableEntry } from "@/lib/schemas/dataset";
import { AccessSection } from "./access-section";
import { AccountsSection } from "./accounts-section";
import { LimitsSection } from "./limits-section";
import { RoutesSection } from "./routes-section";
import { Section, Step } from "./section";
import { SecuritySection } from "./security-section";

export const dynamic = "force-dynamic";
export const metadata: Metadata = {
  title: "Docs",
  description:
    "Quick start: find a dataset, query it without a key, page through a whole table, download Parquet. Keys, who may do what, operators, functions, limits and errors.",
  alternates: { canonical: "/docs" },
};

const SECTIONS = [
  { id: "start", title: "Quick start" },
  { id: "keys", title: "Accounts and use keys" },
  { id: "access", title: "Who may do what" },
  { id: "routes", title: "Routes" },
  { id: "operators", title: "Filter operators" },
  { id: "functions", title: "Aggregate functions" },
  { id: "limits", title: "Limits" },
  { id: "errors", title: "Errors" },
  { id: "security", title: "Security" },
] as const;
const VALUES = { none: "no value", one: "one value", two: "[low, high]", many: "1 to 20 values" } as const;

export default async function DocsPage() {
  const ctx = pageContext();
  const catalogue = await findDatasets({ limit: 1 }, ctx);
  const table = catalogue.datasets[0]?.tables[0];
  return (
    <div className="page grid gap-x-14 gap-y-10 py-10 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <nav aria-label="On this page" className="text-sm lg:sticky lg:top-8 lg:self-start">
        <ul className="flex flex-wrap gap-x-4 gap-y-1 lg:block lg:space-y-1.5">
          {SECTIONS.map((section) => (
            <li key={section.id}>
              <a className="text-muted hover:text-accent" href={`#${section.id}`}>
                {section.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0 max-w-4xl">
        <h1 className="text-3xl">Docs</h1>
        <p className="mt-4 max-w-prose text-lg text-muted">
          Every dataset is published as immutable Parquet versions. Search and read them without an account; a use key raises the limits and downloads whole
          tables.
        </p>
        <QuickStart base={ctx.baseUrl} table={table} query={table && exampleQuery((await readSchema(table.tableId, ctx)).columns)} />
        <Reference />
      </div>
    </div>
  );
}

function QuickStart({ base, table, query }: { base: string; table: TableEntry | undefined; query: ReturnType<typeof exampleQuery> | undefined }) {
  return (
    <Section id="start" title="Quick start">
      <Step title="Find a dataset" text="Search covers titles, descriptions, publishers, topics and the columns of every table.">
        <CodeBlock label="Search the catalogue" language="shellscript" code={`curl -s '${base}/api/v2/public/datasets?q=weather&limit=5'`} />
      </Step>
      {table && query && (
        <>
          <Step title="Read its columns" text="Types, meaning, units, a profile over all rows, and the operators and functions that each column takes.">
            <CodeBlock label="Schema of a table" language="shellscript" code={`curl -s '${table.schema_url}'`} />
          </Step>
          <Step title="Query without a key" text="Name the columns. Filters are ANDed. The reply names the version and digest that it was read from.">
            <CodeBlock label="First rows that match" language="shellscript" code={curlQuery(anonymousQueryUrl(table), query)} />
          </Step>
          <Step
            title="Get a use key"
            text={
              <>
                <a className="link" href="/sign-up">
                  Sign up
                </a>
                , create one under{" "}
                <Link className="link" href="/settings/access" prefetch={false}>
                  Settings, Access
                </Link>{" "}
                and keep it in a variable: the service shows it this once.
              </>
            }
          >
            <CodeBlock label="Keep the key" language="shellscript" code={"PARQUETRY_KEY='svc_use_…'"} />
          </Step>
          <Step
            title="Page to the end with a key"
            text="Send next_cursor back as cursor with the same columns, filters and order_by until it is null. A walk stays on the version that it began with."
          >
            <CodeBlock
              label="A page of up to 10,000 rows"
              language="shellscript"
              code={curlQuery(table.query_url, { ...query, limit: env().ROWS_KEY }, true)}
            />
          </Step>
          <Step title="Take the whole table" text="One Parquet file. Send its ETag as If-None-Match next time, and an unchanged table costs nothing.">
            <CodeBlock
              label="Download"
              language="shellscript"
              code={`curl -f '${table.current_url}' \\\n  -H "x-api-key: $PARQUETRY_KEY" \\\n  -o '${table.slug}.parquet'`}
            />
          </Step>
        </>
      )}
    </Section>
  );
}

function Reference() {
  return (
    <>
      <AccountsSection />
      <AccessSection />
      <RoutesSection />
      <Section id="operators" title="Filter operators">
        <FactTable
          label="Filter operators"
          head={["Operator", "The column", "Takes", "Columns"]}
          rows={Object.entries(OPERATORS).map(([name, row]) => ({
            key: name,
            cells: [name, row.english.replace(/,$/, ""), VALUES[row.arity], row.families.length > 6 ? "all" : row.families.join(", ")],
          }))}
        />
      </Section>
      <Section id="functions" title="Aggregate functions">
        <FactTable
          label="Aggregate functions"
          head={["Function", "Gives", "Columns"]}
          rows={Object.entries(AGGREGATES).map(([name, row]) => ({
            key: name,
            cells: [name, row.english, row.arity === 0 ? "takes none" : row.families.join(", ")],
          }))}
        />
      </Section>
      <LimitsSection />
      <Section id="errors" title="Errors">
        <p className="mb-3 max-w-prose text-muted text-sm">
          An error names its code, a sentence, the request id and, for faulty queries, every fault at once with a pointer to it.
        </p>
        <FactTable
          label="Errors"
          head={["Code", "Status", "What to do"]}
          rows={Object.entries(ERRORS).map(([code, row]) => ({ key: code, cells: [code, String(row.status), row.fix] }))}
        />
      </Section>
      <SecuritySection />
    </>
  );
}
