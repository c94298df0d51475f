"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { THEME_KEY, THEMES, type Theme } from "./theme";

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const CHANGED = "themechange";

function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage was denied: the choice applies only to this page.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
}

/** One button that cycles through system, light and dark. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore<Theme>(subscribe, readTheme, () => "system");
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const Icon = ICONS[theme];
  return (
    <button
      type="button"
      onClick={() => chooseTheme(next)}
      aria-label={`Theme: ${theme}. Switch to ${next}.`}
      title={`Theme: ${theme}`}
      className="needs-script grid size-9 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink"
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  );
}
