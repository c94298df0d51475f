import type { ReactNode } from "react";
import { CopiedId } from "@/components/ui/copied-id";

/** A named fact of a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 [overflow-wrap:anywhere]">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

/** A named id with a copy button, in a `dl`. */
export const Identity = ({ name, text }: { name: string; text: string }) => (
  <div className="flex min-w-0 items-center gap-2.5">
    <dt className="w-24 shrink-0 text-muted text-xs lg:w-auto">{name}</dt>
    <dd className="min-w-0">
      <CopiedId text={text} label={name.toLowerCase()} />
    </dd>
  </div>
);
