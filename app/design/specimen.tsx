import type { ReactNode } from "react";

export type ShownTheme = "light" | "dark";

/** One part of the design page, under its name. */
export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-12 first:mt-0">
      <h3 className="mb-4 border-line border-b pb-2 text-lg">{title}</h3>
      {children}
    </section>
  );
}
