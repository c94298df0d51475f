import type { ApprovalView } from "@/lib/operations/approvals/get-approval";
import { impactText } from "./impact-text";

const SHOWN_CHARACTERS = 160;

/** What a revision changes: first in sentences, then place by place. */
export function RecipeChanges({ view }: { view: ApprovalView }) {
  const { compared_with, impact, differences } = view;
  if (compared_with === null || !impact)
    return (
      <p className="text-muted">
        No revision has been approved before. Every source, column and check below is new to this dataset.
      </p>
    );
  return (
    <>
      <p className="mb-3 text-muted">Compared with revision {compared_with}, which was approved previously.</p>
      <ul className="list-disc space-y-1 pl-5">
        {impactText(impact).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {differences.length > 0 && (
        <details className="mt-4">
          <summary className="cursor-pointer font-medium">
            {differences.length} {differences.length === 1 ? "place" : "places"} in the document
          </summary>
          <ul className="rows mt-2">
            {differences.map(({ pointer, op, before, after }) => (
              <li key={pointer}>
                <code className="wrap-anywhere font-mono text-[0.8125rem]">{pointer || "/"}</code>
                {op !== "add" && <p className="wrap-anywhere text-muted text-xs">before: {cut(before)}</p>}
                {op !== "remove" && <p className="wrap-anywhere text-xs">after: {cut(after)}</p>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const cut = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};
