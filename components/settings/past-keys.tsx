import { RelativeTime } from "@/components/relative-time";
import { formatCount } from "@/lib/format";
import type { AccessKey } from "@/lib/schemas/workspace";
import { KeyName } from "./key-table";

/** Keys that no longer work, folded away. */
export function PastKeys({ keys, now }: { keys: readonly AccessKey[]; now: Date }) {
  if (keys.length === 0) return null;
  return (
    <details className="mt-4">
      <summary className="link text-sm">Revoked and expired ({formatCount(keys.length)})</summary>
      <table className="fact-list mt-2">
        <caption className="sr-only">Revoked and expired keys</caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col" className="hidden sm:table-cell">
              Created
            </th>
            <th scope="col" className="hidden sm:table-cell">
              Last used
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row" className="w-full">
                <KeyName entry={key} />
              </th>
              <td className="whitespace-nowrap">
                {key.revoked_at ? "revoked" : "expired"} <RelativeTime at={key.revoked_at ?? key.expires_at ?? ""} now={now} />
              </td>
              <td className="hidden whitespace-nowrap sm:table-cell">
                <RelativeTime at={key.created_at} now={now} />
              </td>
              <td className="hidden whitespace-nowrap sm:table-cell">
                {key.last_used_at ? <RelativeTime at={key.last_used_at} now={now} /> : <span className="text-faint">never</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
