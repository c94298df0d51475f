import type { Metadata } from "next";
import type { ReactNode } from "react";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { robots: { index: false } };

/** A layout is not told the address's parameters: each page puts `SettingsShell` around itself. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return children;
}
