"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { CONNECTOR_PATHS, type ConnectorPath } from "@/lib/oauth/server-metadata";
import { askInWindow, type Question } from "./ask-person";
import { type Choice, choiceIn, MODES, type Mode, withChoice } from "./choice";
import { conclusion, reportText } from "./report";
import { runTest, type StepRun } from "./run-test";
import { STEPS, type StepId } from "./steps";
import { TestSteps } from "./test-steps";

interface Props {
  base: string;
  tableId: string | undefined;
  /** Whether the form has just been requested, so that it takes the focus. */
  takesFocus: boolean;
}

interface Progress {
  steps: readonly StepRun[];
  running: StepId | undefined;
  choice: Choice;
}

/** Selects what is tested, runs it, and shows the outcome of each step. */
export function TestForm({ base, tableId, takesFocus }: Props) {
  const [choice, setChoice] = useState<Choice>(() => choiceIn(new URLSearchParams(location.search)));
  const [pasted, setPasted] = useState("");
  const [progress, setProgress] = useState<Progress>();
  const [question, setQuestion] = useState<Question>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) form.current?.querySelector("input")?.focus({ preventScroll: true });
  }, [takesFocus]);
  const isRunning = progress?.running !== undefined;
  const choose = (chosen: Choice) => {
    setChoice(chosen);
    setProgress(undefined);
    const { pathname, search, hash } = location;
    history.replaceState(history.state, "", `${pathname}?${withChoice(new URLSearchParams(search), chosen)}${hash}`);
  };
  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    await runTest(
      choice,
      pasted,
      { base, origin: location.origin, tableId },
      {
        onSteps: (steps, running) => setProgress({ steps, running, choice }),
        askPerson: (address, channel) => askInWindow(address, channel, setQuestion),
      },
    );
  };
  return (
    <form ref={form} onSubmit={start} aria-label="Test the connection" className="connection-test" autoComplete="off">
      <ModeField choice={choice} onChange={choose} disabled={isRunning} />
      {choice.mode === "credential" && <PastedField value={pasted} onChange={setPasted} />}
      <AddressField base={base} choice={choice} onChange={choose} disabled={isRunning} />
      <button
        type="submit"
        className={`button button-primary justify-self-start ${isRunning ? "is-pending" : ""}`}
        aria-disabled={isRunning || undefined}
      >
        {progress && !isRunning ? "Test again" : "Test"}
      </button>
      <p role="status" className="sr-only">
        {isRunning && progress?.running ? `Testing: ${STEPS[progress.running].title}` : ""}
      </p>
      {progress && <TestSteps steps={progress.steps} running={progress.running} question={question} />}
      {progress && !isRunning && <Outcome base={base} {...progress} />}
    </form>
  );
}

interface ChoiceProps {
  choice: Choice;
  onChange(choice: Choice): void;
  disabled: boolean;
}

const HINTS: Readonly<Record<Mode, string>> = {
  none: "What any client can do without credentials, and whether it can discover the sign-in.",
  credential: "Checks a use key or a client’s access token: its type, whether it is valid, and what it can read.",
  "sign-in": "Runs a complete OAuth client flow: authorize, call, refresh, revoke.",
};

function ModeField({ choice, onChange, disabled }: ChoiceProps) {
  return (
    <fieldset disabled={disabled} className="connection-test-modes">
      <legend className="connection-test-label">Test</legend>
      {(Object.keys(MODES) as Mode[]).map((mode) => (
        <label key={mode} className="connection-test-mode">
          <input
            type="radio"
            name="test"
            value={mode}
            checked={choice.mode === mode}
            onChange={() => onChange({ ...choice, mode })}
          />
          <span>
            {MODES[mode]}
            <small>{HINTS[mode]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function PastedField({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <div>
      <label htmlFor="connection-test-pasted" className="connection-test-label">
        Key or token
      </label>
      <input
        id="connection-test-pasted"
        type="password"
        className="field font-mono"
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore=""
        data-lpignore="true"
        aria-describedby="connection-test-pasted-hint"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id="connection-test-pasted-hint" className="connection-test-hint">
        It stays in this page’s memory and is sent only to the connector.
      </p>
    </div>
  );
}

function AddressField({ base, choice, onChange, disabled }: ChoiceProps & { base: string }) {
  return (
    <div>
      <label htmlFor="connection-test-address" className="connection-test-label">
        Address
      </label>
      <select
        id="connection-test-address"
        className="field"
        disabled={disabled}
        value={choice.path}
        onChange={(event) => onChange({ ...choice, path: event.target.value as ConnectorPath })}
      >
        {CONNECTOR_PATHS.map((path) => (
          <option key={path} value={path}>
            {base}
            {path}
          </option>
        ))}
      </select>
    </div>
  );
}

function Outcome({ base, steps, choice }: { base: string } & Pick<Progress, "steps" | "choice">) {
  const { isGood, message } = conclusion(steps);
  const report = reportText(choice, steps, {
    base,
    origin: location.origin,
    now: new Date(),
    browser: navigator.userAgent,
  });
  return (
    <div className="grid gap-3">
      <Notice tone={isGood ? "ok" : "danger"} title={isGood ? message : "To fix this"}>
        {!isGood && message}
      </Notice>
      <CopyButton text={report} label="the report" look="button justify-self-start">
        Copy report
      </CopyButton>
      <p className="text-faint text-xs">
        The report contains no key, token or code, so you can share it when you ask for help.
      </p>
    </div>
  );
}
