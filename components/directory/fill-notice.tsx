import { Notice } from "@/components/ui/notice";
import type { Filling } from "@/lib/operations/fill-progress";

/** The progress of filling the catalogue, until it is complete. */
export function FillNotice({ filling: { text, isStopped } }: { filling: Filling }) {
  if (isStopped)
    return (
      <Notice tone="warning" title="Filling the catalogue has stopped">
        <p>{text} See the log for the reason. It continues when the service is next started.</p>
      </Notice>
    );
  return (
    <Notice tone="info" title="The catalogue is being filled">
      <p>{text} Reload the page to see more.</p>
    </Notice>
  );
}
