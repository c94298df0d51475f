"use client";

import { useEffect, useRef, useState } from "react";
import { waitText } from "@/components/form/wait-text";
import { Notice } from "@/components/ui/notice";
import type { Problem } from "./problem";

interface Props {
  problem: Problem;
  /** The query as a sentence. */
  asked?: string;
  /** What the problem means for the content of the page. */
  lead?: string;
  onRetry?: () => void;
  /** Called when the wait is over. */
  onWaited?: () => void;
  /** A link back to something that works. */
  onBack?: { words: string; go: () => void } | undefined;
  onDismiss?: () => void;
  /** Opens the key field, if a key would help; signing in then helps, too. */
  onKey?: (() => void) | undefined;
  /** Continues without the rejected key. */
  onDropKey?: (() => void) | undefined;
}

/** What went wrong, what helps, and the next steps. If waiting helps, it waits and retries automatically. */
export function ProblemNotice({ problem, asked, lead, onRetry, onWaited, onBack, onKey, onDropKey, onDismiss }: Props) {
  const { title, message, faults, advice, requestId, waitSeconds } = problem;
  return (
    <Notice tone="danger" title={title}>
      {lead && <p>{lead}</p>}
      {asked && (
        <p className="wrap-anywhere mb-1">
          We couldn’t run this query: <q>{asked.slice(0, ASKED_MAX)}</q>
          {asked.length > ASKED_MAX && "…"}
        </p>
      )}
      {faults.length === 0 && <p>{message}</p>}
      {faults.length > 0 && (
        <ul className="list-disc pl-5">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <p className="mt-1 text-muted">{advice}</p>
      {waitSeconds !== undefined && onWaited && (
        <Countdown key={requestId ?? title} seconds={waitSeconds} onEnd={onWaited} />
      )}
      <p className="mt-2.5 flex flex-wrap items-center gap-2">
        {onRetry && <Way words="Try again" go={onRetry} />}
        {onBack && <Way words={onBack.words} go={onBack.go} />}
        {onKey && (
          <a href="/sign-in" className="button button-small">
            Sign in
          </a>
        )}
        {onKey && <Way words="Use an API key" go={onKey} />}
        {onDropKey && <Way words="Continue without the key" go={onDropKey} />}
        {onDismiss && <Way words="Close" go={onDismiss} />}
        {requestId && <span className="text-faint text-xs">Request {requestId}</span>}
      </p>
    </Notice>
  );
}

const ASKED_MAX = 300;

function Way({ words, go }: { words: string; go: () => void }) {
  return (
    <button type="button" className="button button-small needs-script" onClick={go}>
      {words}
    </button>
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
    <p role="timer" className="mt-1 tabular-nums">
      {left > 0 ? `We’ll retry automatically in ${waitText(left)}.` : "Retrying…"}
    </p>
  );
}
