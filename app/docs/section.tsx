import type { ReactNode } from "react";

/** A part of the docs; `id` is its anchor. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="mb-4 text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A heading with a sentence and what it leads to. */
export function Step({ title, text, children }: { title: string; text: ReactNode; children?: ReactNode }) {
  return (
    <div className="mt-6">
      <h3 className="text-lg">{title}</h3>
      <p className="mt-1 mb-3 max-w-prose text-muted text-sm">{text}</p>
      {children}
    </div>
  );
}

/** A name as it goes over the wire. */
export function Code({ children }: { children: string }) {
  return <code className="font-mono text-[0.875em] text-ink">{children}</code>;
}
