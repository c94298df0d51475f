"use client";

import { useEffect } from "react";

interface EarlyWindow extends Window {
  /** Buttons that were clicked before their code had loaded, and forms that were submitted without a button. */
  earlyClicks?: Set<HTMLElement>;
}

/**
 * Replays clicks and submissions whose code had not loaded, each once and in order, as soon as the button is
 * interactive: first on the whole page, later in parts whose code loads afterwards.
 */
export function EarlyClicks() {
  useEffect(() => {
    const early = (window as EarlyWindow).earlyClicks ?? new Set();
    let frame = 0;
    const repeat = () => {
      for (const element of early) {
        if (element.isConnected && !isLive(element)) continue;
        early.delete(element);
        if (element.isConnected) act(element);
      }
      frame = early.size > 0 ? requestAnimationFrame(repeat) : 0;
    };
    const watch = () => {
      if (frame === 0) frame = requestAnimationFrame(repeat);
    };
    repeat();
    addEventListener("click", watch, true);
    addEventListener("submit", watch, true);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("click", watch, true);
      removeEventListener("submit", watch, true);
    };
  }, []);
  return null;
}

function act(element: HTMLElement): void {
  if (element instanceof HTMLFormElement) element.requestSubmit();
  else element.click();
}

/** React marks the elements that it has hydrated. */
const isLive = (element: HTMLElement): boolean => Object.keys(element).some((key) => key.startsWith("__reactProps"));
