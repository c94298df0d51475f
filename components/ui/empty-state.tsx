import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  icon: LucideIcon;
  /** What is missing, in a few words. */
  title: string;
  /** The next step. */
  children: ReactNode;
  action?: ReactNode;
}

/** Shown where there is nothing yet: says so, and explains the next step. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="rounded-lg border border-line-strong border-dashed px-5 py-6 text-sm sm:px-6">
      <p className="flex items-center gap-2.5 font-medium text-base">
        <Icon size={18} aria-hidden="true" className="shrink-0 text-faint" />
        {title}
      </p>
      <div className="mt-2 max-w-prose space-y-2 text-muted">{children}</div>
      {action && <div className="mt-4 flex flex-wrap gap-3">{action}</div>}
    </div>
  );
}
