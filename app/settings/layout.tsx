import type { Metadata } from "next";
import type { ReactNode } from "react";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { robots: { index: false } };

/** A layout does not receive the URL's parameters, so each page wraps itself in `SettingsShell`. */
export default function SettingsLayout({ children }: { children: ReactNode }) {
  return children;
}
