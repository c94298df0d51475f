import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  title: string;
  /** What happened and what to do about it. */
  children: ReactNode;
  /** A reference for finding the error in the log, such as a request ID. */
  reference?: { name: string; text: string } | "" | undefined;
  /** The next step, such as a retry button. */
  action?: ReactNode;
}

/** Shown where something failed: what happened, what to do, and the request ID to quote when asking for help. */
export function ErrorState({ title, children, reference, action }: Props) {
  return (
    <div
      role="alert"
      className="tone-danger rounded-lg border border-danger/40 bg-danger-soft px-5 py-5 text-sm sm:px-6"
    >
      <p className="flex items-center gap-2.5 font-medium text-base">
        <CircleAlert size={18} aria-hidden="true" className="shrink-0 text-danger" />
        {title}
      </p>
      <div className="mt-2 max-w-prose space-y-2">{children}</div>
      {reference && (
        <p className="wrap-anywhere mt-3 text-muted text-xs">
          {reference.name} <code className="select-all font-mono text-ink">{reference.text}</code>
        </p>
      )}
      {action && <div className="mt-4 flex flex-wrap gap-3">{action}</div>}
    </div>
  );
}
