import { SearchX } from "lucide-react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button, LinkButton } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ChangeBadge } from "@/components/ui/change-badge";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { ProgressBar, Skeleton } from "@/components/ui/loading";
import { Notice } from "@/components/ui/notice";
import { Specimen } from "./specimen";

const TONES: readonly Tone[] = ["neutral", "accent", "ok", "info", "notice", "warning", "danger"];
const CHANGES = ["first", "appended", "restated", "columns_added", "breaking", "metadata"] as const;

/** How things stand: well, empty, failed, under way. */
export function StatusSpecimens() {
  return (
    <>
      <Specimen title="Badges">
        <p className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </p>
        <p className="mt-3 flex flex-wrap gap-2">
          {CHANGES.map((change) => (
            <ChangeBadge key={change} change={change} />
          ))}
        </p>
      </Specimen>
      <Specimen title="Notices">
        <div className="space-y-3">
          <Notice>JavaScript is required to change settings.</Notice>
          <Notice tone="ok">Password changed. Every other browser was signed out.</Notice>
          <Notice tone="info">A newer version is published every Monday.</Notice>
          <Notice tone="notice" title="An old version">
            This version was current until 3 Mar 2026.
          </Notice>
          <Notice tone="warning">Only the first 100 rows are drawn.</Notice>
          <Notice tone="danger">Wrong email address or password.</Notice>
        </div>
      </Specimen>
      <Specimen title="Empty, failed, loading">
        <div className="space-y-4">
          <EmptyState
            icon={SearchX}
            title="No dataset matches"
            action={<LinkButton href="/datasets">Show all datasets</LinkButton>}
          >
            <p>Try fewer or more general words. Columns and descriptions are searched too.</p>
          </EmptyState>
          <ErrorState
            title="The query took too long"
            reference={{ name: "Request ID", text: "req_0f3c2a" }}
            action={
              <Button small look="primary">
                Try again
              </Button>
            }
          >
            <p>Add a filter on one of the columns the table is sorted by.</p>
          </ErrorState>
          <Card>
            <ProgressBar label="Querying" />
            <div className="mt-4">
              <Skeleton label="Loading rows" lines={3} />
            </div>
          </Card>
        </div>
      </Specimen>
    </>
  );
}
