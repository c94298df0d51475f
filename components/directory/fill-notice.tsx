import { Notice } from "@/components/ui/notice";
import { type FillProgress, fillWords } from "@/lib/showcase/fill-progress";

/** How far filling the catalogue is, while it is not complete. */
export function FillNotice({ progress }: { progress: FillProgress }) {
  if (progress.isStopped)
    return (
      <Notice tone="warning" title="Filling the catalogue has stopped">
        <p>
          {fillWords({ ...progress, next: [] })} The log says why; the next start of the service goes on from there.
        </p>
      </Notice>
    );
  return (
    <Notice tone="info" title="The catalogue is being filled">
      <p>{fillWords(progress)} Load the page again to see more.</p>
    </Notice>
  );
}
