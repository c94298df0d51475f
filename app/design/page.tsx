import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import { designPageShown } from "@/lib/kernel/env";
import { ColourSpecimens } from "./colour-specimens";
import { ControlSpecimens } from "./control-specimens";
import { DataSpecimens } from "./data-specimens";
import type { ShownTheme } from "./specimen";
import { StatusSpecimens } from "./status-specimens";
import { TypeSpecimens } from "./type-specimens";

export const metadata: Metadata = { title: "Design", robots: { index: false } };
export const dynamic = "force-dynamic";

/** All interface components, in both themes. For developers: otherwise this page does not exist. */
export default function DesignPage() {
  if (!designPageShown()) return <Missing />;
  return (
    <>
      <div className="page py-10">
        <h1 className="text-3xl">Design</h1>
        <p className="mt-3 max-w-prose text-muted">
          Tokens and components as the pages use them. Styles are in app/styles, components in components and
          components/ui.
        </p>
      </div>
      <div className="design-themes">
        <Theme theme="light" title="Light" />
        <Theme theme="dark" title="Dark" />
      </div>
    </>
  );
}

function Theme({ theme, title }: { theme: ShownTheme; title: string }) {
  return (
    <section data-theme={theme} aria-label={title} className="design-theme min-w-0">
      <h2 className="mb-6 text-2xl">{title}</h2>
      <ColourSpecimens />
      <TypeSpecimens />
      <ControlSpecimens theme={theme} />
      <StatusSpecimens />
      <DataSpecimens theme={theme} />
    </section>
  );
}
