"use client";

import { type ReactNode, useEffect, useRef } from "react";

/**
 * A menu that unfolds without JavaScript. With it, the menu also closes on Escape, on clicks outside and after a
 * choice.
 */
export function Menu({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const fold = (event: Event) => {
      const menu = details.current;
      if (!menu?.open) return;
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      const target = event.target as Element;
      const isChoice = event.type === "click" && (!menu.contains(target) || target.closest("a"));
      if (isEscape || isChoice) menu.open = false;
      if (isEscape) menu.querySelector("summary")?.focus();
    };
    document.addEventListener("click", fold);
    document.addEventListener("keydown", fold);
    return () => {
      document.removeEventListener("click", fold);
      document.removeEventListener("keydown", fold);
    };
  }, []);
  return (
    <details ref={details} className="menu text-sm">
      <summary className="menu-summary">{summary}</summary>
      <div className="menu-panel">{children}</div>
    </details>
  );
}
