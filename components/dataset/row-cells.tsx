import { stringify } from "lossless-json";
import { unitText } from "@/components/values/unit-text";
import { isNumeric, valueText } from "@/components/values/value-text";
import type { Column } from "@/lib/schemas/column";
import type { TableRow } from "@/lib/schemas/table";

/** Every column of one row: its name and meaning next to the full value, laid out by its type. */
export function RowCells({ read, columns }: { read: TableRow; columns: readonly Column[] }) {
  const about = new Map(columns.map((column) => [column.name, column]));
  return (
    <dl className="mt-8 border-line border-t">
      {read.columns.map(({ name, type }) => (
        <div key={name} className="grid gap-x-8 gap-y-1 border-line border-b py-3 sm:grid-cols-[minmax(12rem,1fr)_2fr]">
          <dt className="min-w-0">
            <span className="font-medium font-mono text-sm [overflow-wrap:anywhere]">{name}</span>{" "}
            <span className="text-faint text-xs">{type}</span>
            <ColumnMeaning text={about.get(name)?.description ?? null} />
          </dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <CellValue value={read.row[name]} column={{ name, type }} unit={about.get(name)?.unit ?? null} />
            {read.truncated_cells.includes(name) && (
              <p className="mt-1 text-faint text-xs">Shortened here. Queries and downloads contain the full value.</p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const ColumnMeaning = ({ text }: { text: string | null }) =>
  text && <span className="mt-0.5 block text-muted text-sm">{text}</span>;

interface CellProps {
  value: unknown;
  column: { name: string; type: string };
  unit: string | null;
}

function CellValue({ value, column, unit }: CellProps) {
  const text = valueText(value, column);
  if (text === null) return <span className="text-faint italic">null</span>;
  if (text === "") return <span className="text-faint italic">empty</span>;
  if (typeof value === "string" && isWebAddress(value)) return <LinkedText text={value} />;
  if (isTextList(value)) return <TextList items={value} />;
  if (text.startsWith("{") || text.startsWith("["))
    return <pre className="overflow-x-auto whitespace-pre-wrap font-mono text-sm">{laidOut(value, text)}</pre>;
  return (
    <span className={isNumeric(column.type) ? "tabular-nums" : "whitespace-pre-wrap"}>
      {text}
      {unit && <span className="text-muted"> {unitText(unit)}</span>}
    </span>
  );
}

/** A list of short strings, shown as a list. */
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");

const TextList = ({ items }: { items: readonly string[] }) => (
  <ul className="list-inside list-disc">
    {items.map((item, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list may repeat an item, and its order never changes
      <li key={at}>{isWebAddress(item) ? <LinkedText text={item} /> : item}</li>
    ))}
  </ul>
);

const LinkedText = ({ text }: { text: string }) => (
  <a className="link" href={text} rel="nofollow noopener ugc">
    {text}
  </a>
);

/** JSON over several lines; a string that only looks like JSON is shown unchanged. */
const laidOut = (value: unknown, text: string): string =>
  typeof value === "string" ? text : (stringify(value, undefined, 2) ?? text);

const ADDRESS_MAX = 2000;

/** Whether an entire value is a web link that is safe to follow. */
function isWebAddress(text: string): boolean {
  if (text.length > ADDRESS_MAX || !/^https?:\/\/[^\s]+$/.test(text)) return false;
  return URL.canParse(text);
}
