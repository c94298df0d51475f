import type { ReactNode } from "react";

/**
 * A part of a settings page. `id` is its heading's: the heading can take the focus, for when the focused row is
 * removed.
 */
export function SettingsSection({
  id,
  title,
  intro,
  action,
  children,
}: {
  id: string;
  title: string;
  intro?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="mt-12 first-of-type:mt-8">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-line border-b pb-3">
        <div className="min-w-0">
          <h2 id={id} tabIndex={-1} className="text-xl">
            {title}
          </h2>
          {intro && <p className="mt-1 max-w-prose text-muted text-sm">{intro}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
