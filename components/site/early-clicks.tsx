"use client";

import { useEffect } from "react";

interface EarlyWindow extends Window {
  /** Buttons that were clicked while nothing listened; absent once everything does. */
  earlyClicks?: Set<HTMLElement> | undefined;
}

/** Does what was asked of buttons before the page listened: they are clicked again, each once, in their order. */
export function EarlyClicks() {
  useEffect(() => {
    const early = (window as EarlyWindow).earlyClicks;
    delete (window as EarlyWindow).earlyClicks;
    for (const button of early ?? []) if (button.isConnected) button.click();
  }, []);
  return null;
}
