import { ColumnProfile } from "@/components/profile/column-profile";
import { columnFacts } from "@/components/values/column-facts";
import { formatDay, formatPlural } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import type { Comparison } from "@/lib/schemas/comparison";

type Compared = Comparison["profiles"][number];

/** Each column's values in both versions, drawn side by side; columns with identical profiles are folded away. */
export function ComparedProfiles({ comparison }: { comparison: Comparison }) {
  const differing = comparison.profiles.filter(({ differs }) => differs);
  const same = comparison.profiles.filter(({ differs }) => !differs);
  return (
    <section aria-labelledby="comparison-profiles" className="comparison-part">
      <h3 id="comparison-profiles">Values side by side</h3>
      {differing.length === 0 && (
        <p className="text-muted text-sm">All columns have the same profile in both versions.</p>
      )}
      <ProfileList profiles={differing} comparison={comparison} />
      {same.length > 0 && differing.length > 0 && (
        <p className="mt-4 text-muted text-sm">
          {formatPlural(same.length, "column")} with the same profile in both:{" "}
          <span className="font-mono text-[0.8125rem]">{same.map(({ name }) => name).join(", ")}</span>
        </p>
      )}
    </section>
  );
}

function ProfileList({
  profiles,
  comparison: { from, to },
}: {
  profiles: readonly Compared[];
  comparison: Comparison;
}) {
  if (profiles.length === 0) return null;
  return (
    <ul className="profile-pairs">
      {profiles.map((profile) => (
        <li key={profile.name}>
          <h4>
            <code className="font-mono text-sm">{profile.name}</code>{" "}
            <span className="font-normal text-faint text-xs">{(profile.to ?? profile.from)?.type}</span>
          </h4>
          <Half
            day={formatDay(from.published_at)}
            column={columnOf(profile.name, profile.from)}
            other={columnOf(profile.name, profile.to)}
            rows={[from.rows, to.rows]}
          />
          <Half
            day={formatDay(to.published_at)}
            column={columnOf(profile.name, profile.to)}
            other={columnOf(profile.name, profile.from)}
            rows={[to.rows, from.rows]}
          />
        </li>
      ))}
    </ul>
  );
}

/** The facts of one side; differences from the other side are highlighted. */
function Half({
  day,
  column,
  other,
  rows,
}: {
  day: string;
  column: Column | undefined;
  other: Column | undefined;
  rows: readonly [number, number];
}) {
  const facts = column ? columnFacts(column, rows[0]) : [];
  const others = new Set(other ? columnFacts(other, rows[1]) : []);
  return (
    <div>
      <p className="mb-1.5 text-muted text-xs">{day}</p>
      {column ? <ColumnProfile column={column} rows={rows[0]} /> : <p className="null text-sm">not in this version</p>}
      <ul className="mt-2 flex flex-wrap gap-x-3 text-xs">
        {facts.map((fact) => (
          <li key={fact} className={others.has(fact) ? "text-muted" : "font-medium"}>
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A side in the form that the drawings of a dataset's page take. */
function columnOf(name: string, side: Compared["from"]): Column | undefined {
  if (!side) return undefined;
  return {
    name,
    ...side,
    nullable: side.profile.null_count > 0,
    description: null,
    unit: null,
    json: "any",
    operators: [],
    functions: [],
  };
}
