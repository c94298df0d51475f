import type { Metadata } from "next";
import type { ReactNode } from "react";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { robots: { index: false } };

export default function StudioLayout({ children }: { children: ReactNode }) {
  return children;
}
