import { formatDay, formatPlural } from "@/lib/kernel/format";
import type { Versions } from "@/lib/schemas/table";

interface Props {
  slug: string;
  history: Versions;
  /** The versions being compared. */
  chosen?: { from: string; to: string } | undefined;
}

/** Chooses two versions of a table: a plain form that opens a URL. */
export function CompareForm({ slug, history: { table, versions }, chosen }: Props) {
  const [newest, before] = versions;
  if (!newest || !before) return null;
  const name = `compare-${table.slug}`;
  return (
    <form
      action={`/datasets/${slug}/versions#comparison`}
      aria-label={`Compare versions of ${table.name}`}
      className="compare-form"
    >
      <input type="hidden" name="table" value={table.slug} />
      <label htmlFor={`${name}-from`}>Compare</label>
      <VersionSelect id={`${name}-from`} name="from" versions={versions} chosen={chosen?.from ?? before.version_id} />
      <label htmlFor={`${name}-to`}>with</label>
      <VersionSelect id={`${name}-to`} name="to" versions={versions} chosen={chosen?.to ?? newest.version_id} />
      <button type="submit" className="button">
        Compare
      </button>
    </form>
  );
}

function VersionSelect({
  id,
  name,
  versions,
  chosen,
}: {
  id: string;
  name: string;
  versions: Versions["versions"];
  chosen: string;
}) {
  return (
    <select id={id} name={name} defaultValue={chosen} className="field">
      {versions.map((version) => (
        <option key={version.version_id} value={version.version_id}>
          {version.label === null ? "" : `${version.label} · `}
          {formatDay(version.published_at)} · {formatPlural(version.rows, "row")} · {version.version_id.slice(0, 8)}
        </option>
      ))}
    </select>
  );
}
