import { FactTable } from "@/components/fact-table";
import { formatCount } from "@/lib/format";
import { TAGS, tagOf } from "@/lib/openapi/document";
import type { AnyOperation } from "@/lib/operations/operation";
import { OPERATIONS } from "@/lib/operations/registry";
import { whoOf } from "./access-groups";
import { Section } from "./section";

/** Every route by what it is about. Those of accounts serve the service's own pages: they are folded away. */
export function RoutesSection() {
  return (
    <Section id="routes" title="Routes">
      <p className="text-muted text-sm">
        The{" "}
        <a className="link" href="/api/v2/public/openapi.json">
          OpenAPI document
        </a>{" "}
        describes every parameter, reply and header.
      </p>
      {TAGS.map(({ name, description }) => {
        const operations = OPERATIONS.filter((operation) => tagOf(operation) === name);
        const table = <RouteTable name={name} operations={operations} />;
        return (
          <div key={name} className="mt-6">
            <h3 className="text-lg first-letter:uppercase">{name}</h3>
            <p className="mt-1 mb-3 max-w-prose text-muted text-sm">{description}</p>
            {name === "account" ? (
              <details>
                <summary className="link text-sm">All {formatCount(operations.length)} routes</summary>
                {table}
              </details>
            ) : (
              table
            )}
          </div>
        );
      })}
    </Section>
  );
}

function RouteTable({ name, operations }: { name: string; operations: readonly AnyOperation[] }) {
  const rows = operations.map(({ name: key, http, summary, access }) => ({ key, cells: [`${http.method} ${http.path}`, summary, whoOf(access)] }));
  return <FactTable label={`Routes: ${name}`} head={["Route", "What it does", "Takes"]} rows={rows} />;
}
