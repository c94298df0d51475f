"use client";

import { useEffect, useRef, useState } from "react";
import { waitText } from "@/components/form/wait-text";
import { Notice } from "@/components/ui/notice";
import type { Problem } from "./problem";

interface Props {
  problem: Problem;
  onRetry: () => void;
  /** Opens the field for a key, where one would help. */
  onKey?: (() => void) | undefined;
  /** Goes on without the key that was refused. */
  onDropKey?: (() => void) | undefined;
}

/** What went wrong, what helps, and a way to go on. Where waiting helps it waits, and asks again by itself. */
export function ProblemNotice({ problem, onRetry, onKey, onDropKey }: Props) {
  const { title, message, faults, advice, requestId, waitSeconds } = problem;
  return (
    <Notice tone="danger" title={title}>
      {faults.length === 0 && <p>{message}</p>}
      {faults.length > 0 && (
        <ul className="list-disc pl-5">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <p className="mt-1 text-muted">{advice}</p>
      {waitSeconds !== undefined && <Countdown key={requestId ?? title} seconds={waitSeconds} onEnd={onRetry} />}
      <p className="mt-2.5 flex flex-wrap items-center gap-2">
        <button type="button" className="button button-small needs-script" onClick={onRetry}>
          Try again
        </button>
        {onKey && (
          <button type="button" className="button button-small needs-script" onClick={onKey}>
            Use a key
          </button>
        )}
        {onDropKey && (
          <button type="button" className="button button-small needs-script" onClick={onDropKey}>
            Go on without the key
          </button>
        )}
        {requestId && <span className="text-faint text-xs">Request {requestId}</span>}
      </p>
    </Notice>
  );
}

const TICK_MS = 1000;

function Countdown({ seconds, onEnd }: { seconds: number; onEnd: () => void }) {
  const [left, setLeft] = useState(seconds);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const due = Date.now() + seconds * TICK_MS;
    const timer = setInterval(() => {
      const rest = Math.ceil((due - Date.now()) / TICK_MS);
      setLeft(Math.max(0, rest));
      if (rest <= 0) {
        clearInterval(timer);
        end.current();
      }
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [seconds]);
  return (
    <p className="mt-1 tabular-nums">{left > 0 ? `Asked again by itself in ${waitText(left)}.` : "Asking again…"}</p>
  );
}
