import { ColumnProfile, type LinkTo } from "@/components/profile/column-profile";
import { columnFacts } from "@/components/values/column-facts";
import { unitText } from "@/components/values/unit-text";
import type { Column } from "@/lib/schemas/column";

interface Props {
  columns: readonly Column[];
  /** The table's row count. */
  rows: number;
  label: string;
  /** The URL of the rows that pass filters. */
  linkTo?: LinkTo | undefined;
  /** Level of the columns' headings. */
  level?: "h3" | "h4";
}

/** Up to this many histograms, each bar is a link. With more, the links would outweigh the rest of the page. */
const HISTOGRAMS_LINKED = 6;

/** Every column with its type, unit, description and profile. */
export function ColumnDictionary({ columns, rows, label, linkTo, level = "h4" }: Props) {
  const histograms = columns.filter(({ profile }) => profile.histogram).length;
  const linkOf = ({ profile }: Column) => (profile.histogram && histograms > HISTOGRAMS_LINKED ? undefined : linkTo);
  return (
    <>
      <ul aria-label={label} className="dictionary">
        {columns.map((column) => (
          <li key={column.name}>
            <ColumnName column={column} level={level} />
            <div>
              <p className={column.description ? undefined : "text-faint"}>
                {column.description ?? "No description from the publisher."}
              </p>
              <p className="facts">{columnFacts(column, rows).join(" · ")}</p>
            </div>
            <div>
              <ColumnProfile column={column} rows={rows} linkTo={linkOf(column)} />
            </div>
          </li>
        ))}
      </ul>
      <Asked columns={columns} />
    </>
  );
}

const ColumnName = ({ column, level: Heading }: { column: Column; level: "h3" | "h4" }) => (
  <div>
    <Heading>{column.name}</Heading>
    <p className="facts">{column.unit ? `${column.type}, ${unitText(column.unit)}` : column.type}</p>
  </div>
);

/** The operators and functions of these columns, listed once per kind of column. */
function Asked({ columns }: { columns: readonly Column[] }) {
  return (
    <details className="group mt-3 text-sm">
      <summary className="inline-flex list-none items-center gap-1 rounded-sm text-muted hover:text-accent">
        <span aria-hidden="true" className="inline-block transition-transform group-open:rotate-90">
          ›
        </span>
        Filters and functions by column
      </summary>
      <dl className="mt-2 grid gap-4 rounded-md bg-surface p-4">
        {kindsOf(columns).map(({ names, operators, functions }) => (
          <div key={names.join("\n")}>
            <dt className="break-words font-mono text-[0.8125rem]">{names.join(", ")}</dt>
            <dd className="mt-1 text-muted text-xs">Filter: {operators}</dd>
            {functions && <dd className="text-muted text-xs">Aggregate: {functions}</dd>}
          </div>
        ))}
      </dl>
    </details>
  );
}

function kindsOf(columns: readonly Column[]): { names: string[]; operators: string; functions: string }[] {
  const kinds = new Map<string, { names: string[]; operators: string; functions: string }>();
  for (const { name, operators, functions } of columns) {
    const key = `${operators.join(" ")} / ${functions.join(" ")}`;
    const kind = kinds.get(key) ?? { names: [], operators: operators.join(", "), functions: functions.join(", ") };
    kind.names.push(name);
    kinds.set(key, kind);
  }
  return [...kinds.values()];
}
