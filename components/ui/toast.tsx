"use client";

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useReducer, useRef } from "react";

const SAID = "parquetry:said";
const SHOWN_MS = 6000;
const SHOWN_MOST = 3;

interface Toast {
  id: number;
  text: string;
  tone: "ok" | "danger";
}

/** Shows and announces the outcome of an action anywhere on the page. */
export const announce = (text: string, tone: Toast["tone"] = "ok"): void => {
  window.dispatchEvent(new CustomEvent(SAID, { detail: { text, tone } }));
};

type Change = { add: Toast } | { drop: number };

const change = (toasts: readonly Toast[], act: Change): readonly Toast[] =>
  "add" in act
    ? [...toasts.filter(({ text }) => text !== act.add.text), act.add].slice(-SHOWN_MOST)
    : toasts.filter(({ id }) => id !== act.drop);

/** The live region, one per page. It exists before it has content, otherwise screen readers would not announce it. */
export function Toaster() {
  const [toasts, dispatch] = useReducer(change, []);
  const count = useRef(0);
  useEffect(() => {
    const say = (event: Event) =>
      dispatch({ add: { ...(event as CustomEvent<Omit<Toast, "id">>).detail, id: count.current++ } });
    window.addEventListener(SAID, say);
    return () => window.removeEventListener(SAID, say);
  }, []);
  return (
    <div role="status" className="toaster">
      {toasts.map((toast) => (
        <ToastNote key={toast.id} toast={toast} onDrop={() => dispatch({ drop: toast.id })} />
      ))}
    </div>
  );
}

/** Disappears automatically, unless it is hovered or focused. */
function ToastNote({ toast: { id, text, tone }, onDrop }: { toast: Toast; onDrop: () => void }) {
  const note = useRef<HTMLDivElement>(null);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each toast has its own timer, from when it appeared.
  useEffect(() => {
    const timer = setInterval(() => note.current?.matches(":hover, :focus-within") || drop.current(), SHOWN_MS);
    return () => clearInterval(timer);
  }, [id]);
  const Icon = tone === "ok" ? CircleCheck : CircleAlert;
  return (
    <div ref={note} className={`toast tone-${tone}`}>
      <Icon size={18} aria-hidden="true" />
      <p className="wrap-anywhere min-w-0">{text}</p>
      <button type="button" onClick={onDrop} aria-label="Dismiss">
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
