import Link from "next/link";
import type { ReactNode } from "react";
import { Notice } from "@/components/ui/notice";

interface Props {
  title: ReactNode;
  /** The breadcrumb, from the studio down. */
  trail?: readonly { href: string; label: string }[];
  badge?: ReactNode;
  intro?: ReactNode;
  problem?: string | undefined;
  actions?: ReactNode;
  /** Whether it is as wide as the explorer of a table. */
  isWide?: boolean;
  children: ReactNode;
}

/** The frame of every page of the studio. */
export function StudioPage({ title, trail = [], badge, intro, problem, actions, isWide, children }: Props) {
  return (
    <div className={isWide ? "explorer-page py-6 sm:py-8" : "page py-6 lg:py-10"}>
      {trail.length > 0 && (
        <nav aria-label="Breadcrumb" className="mb-3 text-muted text-sm">
          <ol className="flex flex-wrap gap-x-2">
            {trail.map(({ href, label }) => (
              <li key={href} className="not-last:after:ml-2 not-last:after:text-faint not-last:after:content-['/']">
                <Link href={href} prefetch={false} className="link">
                  {label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="wrap-anywhere flex flex-wrap items-center gap-x-3 gap-y-1 text-3xl">
            {title}
            {badge}
          </h1>
          {intro && <div className="mt-2 max-w-prose text-muted">{intro}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-3">{actions}</div>}
      </div>
      {problem && (
        <div className="mt-5 max-w-3xl">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      {children}
    </div>
  );
}
