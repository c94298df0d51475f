import { CircleAlert, CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";

const TONES = {
  info: { icon: Info, look: "border-line bg-surface", ink: "text-muted" },
  success: { icon: CircleCheck, look: "border-transparent bg-accent-soft", ink: "text-accent" },
  problem: { icon: CircleAlert, look: "border-transparent bg-danger-soft", ink: "text-danger" },
} as const;

/** A sentence or two set apart. Problems are read out as soon as they appear. */
export function Notice({ tone = "info", title, children }: { tone?: keyof typeof TONES; title?: string; children?: ReactNode }) {
  const { icon: Icon, look, ink } = TONES[tone];
  const live = tone === "problem" ? ({ role: "alert", tabIndex: -1 } as const) : tone === "success" ? ({ role: "status" } as const) : {};
  return (
    <div {...live} className={`flex gap-2.5 rounded-md border px-3.5 py-2.5 text-sm ${look}`}>
      <Icon size={18} aria-hidden="true" className={`mt-0.5 shrink-0 ${ink}`} />
      <div className="min-w-0">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
