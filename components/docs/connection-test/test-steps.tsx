import { Check, LoaderCircle, Minus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Question } from "./ask-person";
import type { Exchange } from "./exchange";
import type { StepRun } from "./run-test";
import { STEPS, type StepId } from "./steps";

interface Props {
  steps: readonly StepRun[];
  running: StepId | undefined;
  question: Question | undefined;
}

/** The steps so far: what each means, and its requests and responses. What to do first follows. */
export function TestSteps({ steps, running, question }: Props) {
  const isOver = running === undefined;
  const shown = isOver ? steps.filter(({ verdict }) => verdict) : steps;
  const unreached = steps.filter((step) => !shown.includes(step));
  return (
    <ol className="connection-test-steps">
      {shown.map((step) => (
        <Step key={step.id} step={step} isRunning={step.id === running} question={question} />
      ))}
      {unreached.length > 0 && (
        <li data-state="waiting">
          <Minus size={18} className="connection-test-sign" aria-hidden="true" />
          <p className="min-w-0">Not reached: {unreached.map(({ id }) => STEPS[id].title).join(", ")}</p>
        </li>
      )}
    </ol>
  );
}

interface StepProps {
  step: StepRun;
  isRunning: boolean;
  question: Question | undefined;
}

function Step({ step: { id, verdict, exchanges }, isRunning, question }: StepProps) {
  const asked = exchanges.filter(({ method, ms }) => method !== "" && ms > 0);
  return (
    <li data-state={verdict ? (verdict.isGood ? "good" : "bad") : isRunning ? "running" : "waiting"}>
      <Sign verdict={verdict} isRunning={isRunning} />
      <div className="min-w-0">
        <p className="font-medium">{STEPS[id].title}</p>
        {verdict && <p className="text-muted">{verdict.message}</p>}
        {isRunning && id === "consent" && question && <Asking question={question} />}
        {asked.length > 0 && (
          <details>
            <summary className="link">Request and response</summary>
            {asked.map((exchange) => (
              <ExchangeFacts key={exchange.asked} exchange={exchange} />
            ))}
          </details>
        )}
      </div>
    </li>
  );
}

function Sign({ verdict, isRunning }: { verdict: StepRun["verdict"]; isRunning: boolean }) {
  if (verdict?.isGood)
    return <Check size={18} className="connection-test-sign text-accent" role="img" aria-label="Works:" />;
  if (verdict) return <X size={18} className="connection-test-sign text-danger" role="img" aria-label="Fails:" />;
  if (isRunning)
    return (
      <LoaderCircle
        size={18}
        className="connection-test-sign connection-test-turning text-faint"
        role="img"
        aria-label="Running:"
      />
    );
  return <Minus size={18} className="connection-test-sign text-faint" role="img" aria-label="Not run yet:" />;
}

/** The request is opened by a click: browsers let pages open windows only then. */
function Asking({ question }: { question: Question }) {
  const [isBlocked, setBlocked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="mt-2 grid gap-2">
      <p>The next page asks you to approve “Docs test”, as it does for any client. Allow it, then return here.</p>
      <div className="flex flex-wrap gap-3">
        <button
          ref={button}
          type="button"
          className="button button-primary"
          onClick={() => setBlocked(!question.open())}
        >
          Open the approval page
        </button>
        <button type="button" className="button" onClick={question.stop}>
          Stop waiting
        </button>
      </div>
      {isBlocked && (
        <p>
          Your browser blocked the window:{" "}
          <a className="link" href={question.address} target="_blank" rel="noreferrer">
            open it in a tab
          </a>
          .
        </p>
      )}
    </div>
  );
}

function ExchangeFacts({
  exchange: { asked, method, path, status, ms, failure, headers, excerpt },
}: {
  exchange: Exchange;
}) {
  return (
    <div className="connection-test-exchange">
      <p>
        <code>
          {method} {path}
        </code>{" "}
        ({asked}): <b>{failure ?? status}</b> in {ms.toLocaleString("en")} ms
      </p>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {excerpt && (
          <div>
            <dt>begins</dt>
            <dd>{excerpt}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
