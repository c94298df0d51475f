import type { TableRow } from "@/app/docs/doc";
import { InlineText } from "./inline-text";

/** A plain table; its first column names the rows. Rows may have anchors of their own. */
export function DocTable({ label, head, rows }: { label: string; head: readonly string[]; rows: readonly TableRow[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
    <section aria-label={`Table of ${label.toLowerCase()}`} tabIndex={0} className="doc-table">
      <table className={head.length > 2 ? "min-w-[36rem]" : ""}>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [first = "", ...rest] }) => (
            <tr key={id ?? `${first}${rest[0]}`} id={id}>
              <th scope="row">
                <InlineText text={first} />
              </th>
              {rest.map((cell, at) => (
                <td key={head[at + 1]}>
                  <InlineText text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
