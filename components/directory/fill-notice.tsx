import { Notice } from "@/components/ui/notice";
import type { Filling } from "@/lib/operations/fill-progress";

/** The progress of filling the catalogue, until it is complete. */
export function FillNotice({ filling: { words, isStopped } }: { filling: Filling }) {
  if (isStopped)
    return (
      <Notice tone="warning" title="Filling the catalogue has stopped">
        <p>{words} See the log for the reason. It continues when the service is next started.</p>
      </Notice>
    );
  return (
    <Notice tone="info" title="The catalogue is being filled">
      <p>{words} Reload the page to see more.</p>
    </Notice>
  );
}
