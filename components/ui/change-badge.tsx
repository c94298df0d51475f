import type { Versions } from "@/lib/schemas/table";
import { Badge, type Tone } from "./badge";

type Change = Versions["versions"][number]["change"];

const CHANGES: Record<Change, { words: string; tone: Tone }> = {
  first: { words: "First version", tone: "neutral" },
  appended: { words: "Rows added", tone: "ok" },
  restated: { words: "Rows changed", tone: "notice" },
  columns_added: { words: "Columns added", tone: "info" },
  breaking: { words: "Columns changed", tone: "warning" },
  metadata: { words: "Descriptions changed", tone: "neutral" },
};

/** What a version changed compared with the previous one. */
export function ChangeBadge({ change }: { change: Change }) {
  return <Badge tone={CHANGES[change].tone}>{CHANGES[change].words}</Badge>;
}
