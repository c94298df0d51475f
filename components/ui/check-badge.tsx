import { Badge } from "@/components/ui/badge";

interface Props {
  outcome: "passed" | "failed" | "not_applicable";
  severity: "error" | "warn";
}

/** What a check of a recipe found. */
export function CheckBadge({ outcome, severity }: Props) {
  if (outcome === "passed") return <Badge tone="ok">Passed</Badge>;
  if (outcome === "not_applicable") return <Badge>Not applicable</Badge>;
  return severity === "error" ? <Badge tone="danger">Failed</Badge> : <Badge tone="warning">Warning</Badge>;
}
