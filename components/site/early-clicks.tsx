"use client";

import { useEffect } from "react";

interface EarlyWindow extends Window {
  /** Buttons that were clicked before their code had loaded. */
  earlyClicks?: Set<HTMLElement>;
}

/**
 * Replays clicks on buttons whose code had not loaded, each once and in order, as soon as the button is interactive:
 * first on the whole page, later in parts whose code loads afterwards.
 */
export function EarlyClicks() {
  useEffect(() => {
    const early = (window as EarlyWindow).earlyClicks ?? new Set();
    let frame = 0;
    const repeat = () => {
      for (const button of early) {
        if (button.isConnected && !isLive(button)) continue;
        early.delete(button);
        if (button.isConnected) button.click();
      }
      frame = early.size > 0 ? requestAnimationFrame(repeat) : 0;
    };
    const watch = () => {
      if (frame === 0) frame = requestAnimationFrame(repeat);
    };
    repeat();
    addEventListener("click", watch, true);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("click", watch, true);
    };
  }, []);
  return null;
}

/** React marks the elements that it has hydrated. */
const isLive = (button: HTMLElement): boolean => Object.keys(button).some((key) => key.startsWith("__reactProps"));
