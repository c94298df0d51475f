import Link from "next/link";
import { Badge, type Tone } from "@/components/ui/badge";
import { CopiedId } from "@/components/ui/copied-id";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListedRevision } from "@/lib/operations/recipes/list-revisions";
import { impactText } from "./impact-text";

interface Props {
  revisions: readonly ListedRevision[];
  /** The dataset's page in the studio. */
  page: string;
  /** The revision whose document is shown. */
  open: number;
  now: Date;
}

const STATES: Readonly<Record<ListedRevision["state"], { words: string; tone: Tone }>> = {
  draft: { words: "Draft", tone: "neutral" },
  sampled: { words: "Sampled", tone: "info" },
  approved: { words: "Approved", tone: "ok" },
  superseded: { words: "Superseded", tone: "neutral" },
  rejected: { words: "Declined", tone: "danger" },
};

/** The revisions of a recipe, newest first, each with who wrote it and what it changed. */
export const RevisionList = ({ revisions, page, open, now }: Props) => (
  <ol className="rows border-line border-t">
    {revisions.map((revision) => (
      <li key={revision.number} className="grid gap-x-6 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 self-start">
          <Link
            href={`${page}/recipe?revision=${revision.number}`}
            prefetch={false}
            className="link font-medium"
            aria-current={revision.number === open ? "true" : undefined}
          >
            Revision {revision.number}
          </Link>
          <Badge tone={STATES[revision.state].tone}>{STATES[revision.state].words}</Badge>
        </div>
        <div className="min-w-0">
          <Changes revision={revision} />
          <SameDocument revision={revision} all={revisions} />
          {revision.note && <p className="wrap-anywhere mt-1">“{revision.note}”</p>}
          <p className="wrap-anywhere mt-1 flex flex-wrap gap-x-3 text-muted text-xs">
            <span>
              {revision.by?.name ?? "a former member"}, <RelativeTime at={revision.created_at} now={now} />
            </span>
            <CopiedId
              text={revision.document_digest}
              shown={`${revision.document_digest.slice(0, 19)}…`}
              label={`digest of revision ${revision.number}`}
            />
          </p>
        </div>
      </li>
    ))}
  </ol>
);

/** Why a revision has the digest of an earlier one. */
function SameDocument({ revision, all }: { revision: ListedRevision; all: readonly ListedRevision[] }) {
  const { number, document_digest: digest } = revision;
  const same = all.find((each) => each.number < number && each.document_digest === digest);
  return same ? <p>The same document as revision {same.number}, so it has the same digest.</p> : null;
}

function Changes({ revision: { impact, compared_with } }: { revision: ListedRevision }) {
  if (!impact) return <p>{compared_with === null ? "The first revision." : ""}</p>;
  const [first, ...others] = impactText(impact);
  return (
    <>
      <p>{first}</p>
      {others.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-muted">
          {others.map((words) => (
            <li key={words} className="wrap-anywhere">
              {words}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
