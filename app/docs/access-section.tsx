import { ACCESS, type Access } from "@/lib/operations/access";
import { type AccessGroup, accessGroups } from "./access-groups";
import { Section } from "./section";

/** The access table that the service runs on, in words. */
export function AccessSection() {
  return (
    <Section id="access" title="Who may do what">
      <p className="mb-4 max-w-prose text-muted text-sm">
        The service decides by this table alone. What lies outside of a caller’s reach answers 404, with the same bytes as what does not exist: unknown,
        private, foreign and withdrawn cannot be told apart.
      </p>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col" className="w-1/2">
              Credential
            </th>
            <th scope="col">Reaches</th>
          </tr>
        </thead>
        {(Object.keys(ACCESS) as Access[]).map((access) => (
          <AccessRows key={access} title={ACCESS[access].title} groups={accessGroups(access)} />
        ))}
      </table>
    </Section>
  );
}

function AccessRows({ title, groups }: { title: string; groups: readonly AccessGroup[] }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={2}>
          <span className="block pt-3 font-semibold">{title}</span>
        </th>
      </tr>
      {groups.map(({ callers, reach, refusal }) => (
        <tr key={callers[0]}>
          <th scope="row">
            {callers.map((caller) => (
              <span key={caller} className="-indent-3 block pl-3">
                {caller}
              </span>
            ))}
          </th>
          <td>
            {reach ?? (
              <span className="text-muted">
                {refusal?.status} <code className="font-mono text-[0.8125rem]">{refusal?.code}</code>
              </span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  );
}
