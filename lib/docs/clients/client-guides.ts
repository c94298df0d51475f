import { CHAT_CLIENTS } from "./chat-clients";
import { EDITORS } from "./editors";
import type { Guide } from "./guide";
import { PROGRAMS } from "./programs";
import { TERMINALS } from "./terminals";

const ORDER = [
  "claude",
  "claude-code",
  "chatgpt",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "windsurf",
  "zed",
  "goose",
  "inspector",
  "typescript",
  "python",
  "other",
];

/** THE clients that the docs explain how to connect, most used first. */
export const GUIDES: readonly Guide[] = [...CHAT_CLIENTS, ...EDITORS, ...TERMINALS, ...PROGRAMS].sort(
  (a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id),
);
