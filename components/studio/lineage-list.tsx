/** Where the columns of a run's tables come from, as recorded by the run. */
export type Lineage = readonly {
  table: string;
  columns: Readonly<Record<string, { from: readonly { source: string; column: string }[]; kind: string }>>;
}[];

export function LineageList({ lineage }: { lineage: Lineage }) {
  return lineage.map(({ table, columns }) => (
    <details key={table} className="mb-3">
      <summary className="cursor-pointer font-medium">{table}</summary>
      <ul className="rows mt-2">
        {Object.entries(columns).map(([name, { from, kind }]) => (
          <li key={name} className="grid gap-x-6 sm:grid-cols-2">
            <code className="wrap-anywhere font-mono text-[0.8125rem]">{name}</code>
            <span className="wrap-anywhere text-muted">
              {kind} {from.length > 0 && "from "}
              {from.map(({ source, column }) => `${source}: ${column}`).join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  ));
}
