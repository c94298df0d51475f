import type { ReactNode } from "react";

/** What is known about a program that requests access. */
export function AskedFacts({ rows }: { rows: readonly { term: string; fact: ReactNode }[] }) {
  return (
    <dl className="divide-y divide-line border-line border-y text-sm">
      {rows.map(({ term, fact }) => (
        <div key={term} className="flex gap-4 py-2.5">
          <dt className="w-28 shrink-0 text-muted">{term}</dt>
          <dd className="wrap-anywhere min-w-0 font-medium">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What it could do with access, in plain words. */
export function AskedRights({ rights }: { rights: readonly { scope: string; words: string }[] }) {
  return (
    <div>
      <h2 className="font-medium text-sm">It will be able to</h2>
      <ul className="mt-1.5 list-disc pl-5 text-sm">
        {rights.map(({ scope, words }) => (
          <li key={scope} className="mt-1">
            {words} <code className="whitespace-nowrap font-mono text-faint text-xs">{scope}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
