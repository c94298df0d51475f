import { Notice } from "@/components/ui/notice";
import type { Filling } from "@/lib/operations/fill-progress";

/** How far filling the catalogue is, while it is not complete. */
export function FillNotice({ filling: { words, isStopped } }: { filling: Filling }) {
  if (isStopped)
    return (
      <Notice tone="warning" title="Filling the catalogue has stopped">
        <p>{words} The log says why; the next start of the service goes on from there.</p>
      </Notice>
    );
  return (
    <Notice tone="info" title="The catalogue is being filled">
      <p>{words} Load the page again to see more.</p>
    </Notice>
  );
}
