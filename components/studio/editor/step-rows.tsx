import { useEffect, useId, useState } from "react";
import type { Cursor } from "@/components/editor/use-code-editor";
import { callApi, type Problem } from "@/components/form/call-api";
import { Notice } from "@/components/ui/notice";
import { recipeSteps, stepAt, type WrittenStep } from "@/lib/describe/recipe-steps";
import { type StepMarks, stepMarks } from "@/lib/describe/step-marks";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { StepRowsReply, StepRowsSide } from "@/lib/schemas/step-rows";

interface Props {
  /** The dataset's route in the API that has the rows around a step. */
  path: string;
  cursor: Cursor;
}

/** The rows before and after the step at the cursor, or another one that is chosen. */
export function StepRows({ path, cursor }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="needs-script">
      <summary className="w-fit cursor-pointer font-medium text-sm">Rows before and after each step</summary>
      {isOpen && <ChosenStep path={path} cursor={cursor} />}
    </details>
  );
}

const keyOf = ({ table, step }: WrittenStep): string => `${step} ${table}`;

function ChosenStep({ path, cursor: { text, offset } }: Props) {
  const id = useId();
  const steps = recipeSteps(text);
  const here = stepAt(steps, offset) ?? steps[0];
  const hereKey = here && keyOf(here);
  const [chosen, setChosen] = useState(hereKey);
  useEffect(() => setChosen(hereKey), [hereKey]);
  const step = steps.find((each) => keyOf(each) === chosen) ?? here;
  const { reply, problem } = useStepRows(path, step, text);
  if (!step) return <p className="mt-3 text-muted text-sm">The recipe has no steps yet.</p>;
  return (
    <div className="mt-3 space-y-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <label htmlFor={id} className="font-medium">
          Step
        </label>
        <select
          id={id}
          value={keyOf(step)}
          onChange={({ target }) => setChosen(target.value)}
          className="field w-auto max-w-full min-w-0"
        >
          {steps.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)}>
              {each.table}: {each.step + 1}. {each.kind || "not written yet"}
            </option>
          ))}
        </select>
        <span className="text-muted text-xs">It follows the cursor.</span>
      </div>
      {problem && <Notice isQuiet>{problem.message}</Notice>}
      {reply && <Shown reply={reply} />}
    </div>
  );
}

/** How long nothing has been typed before it is asked whether the rows are still those of the text. */
const PAUSE_MS = 2500;

/** Asks when another step is chosen, and again after the text has changed. */
function useStepRows(path: string, step: WrittenStep | undefined, text: string) {
  const [known, setKnown] = useState<{ reply?: StepRowsReply | undefined; problem?: Problem | undefined }>({});
  const settled = useSettled(text);
  const { table, step: at } = step ?? {};
  useEffect(() => {
    if (table === undefined || at === undefined) return;
    let isOver = false;
    void callApi<StepRowsReply>("POST", path, { table, step: at, recipe: settled }).then(({ data, problem }) => {
      if (!isOver) setKnown({ reply: data, problem });
    });
    return () => {
      isOver = true;
    };
  }, [path, table, at, settled]);
  return known;
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return settled;
}

function Shown({ reply }: { reply: StepRowsReply }) {
  const { before, after, step, kind, revision } = reply;
  const marks = after && stepMarks(before, after);
  return (
    <>
      <p role="status" className={reply.as_written === false ? "text-warning" : "text-muted"}>
        {standing(reply)}
      </p>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        <Side title="Before" side={before} removed={marks?.before} />
        {after ? (
          <Side title="After" side={after} added={marks?.after} />
        ) : (
          <p className="text-muted">
            The sample of revision {revision} failed before the rows after step {step + 1} ({kind}) were read. Its run
            says why.
          </p>
        )}
      </div>
    </>
  );
}

function standing({ as_written: isSame, revision, before: { rows } }: StepRowsReply): string {
  const sample = `the newest sample, of revision ${revision}`;
  if (isSame) return `The first of ${formatPlural(rows, "row")} in ${sample}. Changes of this step are marked.`;
  if (isSame === false)
    return `From ${sample}. What leads to these rows has been changed since: run a sample to see the new ones.`;
  return `From ${sample}. Correct the recipe’s problems to see whether these rows still apply.`;
}

interface SideProps {
  title: string;
  side: StepRowsSide;
  removed?: StepMarks["before"] | undefined;
  added?: StepMarks["after"] | undefined;
}

function Side({ title, side, removed, added }: SideProps) {
  const { rows, columns, cells, more_columns: more } = side;
  return (
    <div className="min-w-0">
      <p className="mb-1 font-medium">
        {title} <span className="font-normal text-muted">{formatPlural(rows, "row")}</span>
      </p>
      {cells === null ? (
        <p className="text-muted">These rows were not kept: they are too many or too wide, or could not be read.</p>
      ) : (
        <section
          className="overflow-x-auto rounded-md border border-line"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
          tabIndex={0}
          aria-label={`Rows ${title.toLowerCase()} the step`}
        >
          <table className="grid-table w-full text-xs">
            <thead>
              <tr>
                {columns.map(({ name, type }, at) => (
                  <th key={name} scope="col" className="whitespace-nowrap border-line border-b px-3 py-1.5 text-left">
                    <span className="font-mono">{name}</span>
                    <span className={`block font-normal ${added?.retyped.has(at) ? "text-accent" : "text-muted"}`}>
                      {[type ?? "", columnMark(at, removed, added)].filter((words) => words !== "").join(", ")}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cells.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a sample do not move
                <tr key={at} className={removed?.rows.has(at) ? "text-muted line-through" : ""}>
                  {row.map((cell, column) => (
                    <td key={columns[column]?.name}>
                      <Cell cell={cell} isChanged={added?.cells[at]?.has(column) ?? false} />
                      {column === 0 && removed?.rows.has(at) && <span className="sr-only"> (left out)</span>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more > 0 && <p className="mt-1 text-muted text-xs">{formatCount(more)} more columns are not shown.</p>}
    </div>
  );
}

function columnMark(at: number, removed: SideProps["removed"], added: SideProps["added"]): string {
  if (removed?.columns.has(at)) return "removed";
  return added?.columns.has(at) ? "new" : added?.retyped.has(at) ? "new type" : "";
}

function Cell({ cell, isChanged }: { cell: string | null; isChanged: boolean }) {
  const shown = cell === null ? <i className="text-faint">null</i> : cell;
  return isChanged ? <mark className="rounded-sm bg-mark px-0.5 text-ink">{shown}</mark> : shown;
}
