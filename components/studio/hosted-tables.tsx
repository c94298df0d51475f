import Link from "next/link";
import { LinkButton } from "@/components/ui/button";
import { CopiedId } from "@/components/ui/copied-id";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ActivationReceipt } from "@/lib/schemas/activation";

interface Props {
  receipts: readonly ActivationReceipt[];
  /** Public URL of the hosted table API. */
  apiUrl: string;
  /** Page of the workspace's live keys. */
  keysHref: string;
  /** The page that asks about a change; undefined if nothing can be changed. */
  ask: ((change: string) => string) | undefined;
  isOwner: boolean;
  /** Whether every table is active. */
  isWhole: boolean;
  now: Date;
}

/** The URLs of a dataset's tables on the hosted table API, and the way to activate and deactivate them. */
export const HostedTables = ({ receipts, apiUrl, keysHref, ask, isOwner, isWhole, now }: Props) => (
  <>
    <p className="mb-4 max-w-3xl text-muted text-sm">
      An active table has its own URL, where programs with a{" "}
      <Link href={keysHref} prefetch={false} className="link">
        live key
      </Link>{" "}
      of this workspace can download its latest passing release and read its freshness.{" "}
      <Link href="/docs/hosted-tables" prefetch={false} className="link">
        How it works
      </Link>
    </p>
    {receipts.map((receipt) => (
      <Receipt key={receipt.table} receipt={receipt} apiUrl={apiUrl} now={now} />
    ))}
    {receipts.length === 0 && <p className="text-muted">No tables are active.</p>}
    {ask && isOwner && (
      <div className="mt-4 flex flex-wrap gap-3">
        {!isWhole && (
          <LinkButton href={ask("activate")}>{receipts.length === 0 ? "Activate…" : "Activate all tables…"}</LinkButton>
        )}
        {receipts.length > 0 && <LinkButton href={ask("deactivate")}>Deactivate…</LinkButton>}
      </div>
    )}
    {!isOwner && <p className="mt-4 text-muted text-sm">Only workspace owners can activate and deactivate tables.</p>}
  </>
);

function Receipt({ receipt, apiUrl, now }: { receipt: ActivationReceipt; apiUrl: string; now: Date }) {
  const { table, current_path, freshness_path, activated_at, warning } = receipt;
  return (
    <section aria-label={`URLs of ${table}`} className="mb-4 max-w-3xl rounded-lg border border-line p-4">
      <h3 className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <code className="font-mono font-medium">{table}</code>
        <span className="text-muted text-sm">
          active since <RelativeTime at={activated_at} now={now} />
        </span>
      </h3>
      <dl className="grid min-w-0 gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-muted">Download</dt>
        <dd className="min-w-0">
          <CopiedId text={`${apiUrl}${current_path}`} label={`download URL of ${table}`} />
        </dd>
        <dt className="text-muted">Freshness</dt>
        <dd className="min-w-0">
          <CopiedId text={`${apiUrl}${freshness_path}`} label={`freshness URL of ${table}`} />
        </dd>
      </dl>
      {warning === "hosted_too_large" && (
        <div className="mt-3">
          <Notice title="Too large to download">
            The current release exceeds the size limit for downloads, so its download URL returns 413.
          </Notice>
        </div>
      )}
    </section>
  );
}
