import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Tone } from "./badge";

const ICONS: Record<Tone, LucideIcon> = {
  neutral: Info,
  accent: Info,
  ok: CircleCheck,
  info: Info,
  notice: Info,
  warning: TriangleAlert,
  danger: CircleAlert,
};

interface Props {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
  /** Not announced: it changes while the reader does something else. */
  isQuiet?: boolean;
}

/** One or two highlighted sentences. Screen readers announce errors at once and successes politely. */
export function Notice({ tone = "neutral", title, children, isQuiet = false }: Props) {
  const Icon = ICONS[tone];
  const live = isQuiet
    ? {}
    : tone === "danger"
      ? ({ role: "alert", tabIndex: -1 } as const)
      : tone === "ok"
        ? ({ role: "status" } as const)
        : {};
  return (
    <div {...live} className={`notice tone-${tone}`}>
      <Icon size={18} aria-hidden="true" />
      <div className="min-w-0">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
