import Link from "next/link";
import { ApiForm } from "@/components/form/api-form";
import { ConfirmButton } from "@/components/form/confirm-button";
import { SubmitButton } from "@/components/form/submit-button";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatPlural } from "@/lib/kernel/format";
import { NEWS_KINDS } from "@/lib/schemas/news-kinds";
import type { Watch } from "@/lib/schemas/watch";
import { ReplaceSigningSecret } from "./watch-secret";

interface Props {
  watches: readonly Watch[];
  /** The watch whose deliveries are shown. */
  selected: string | undefined;
  /** The URL of the page that shows a watch's deliveries. */
  hrefOf: (watch: Watch) => string;
  /** Path of the workspace in the account API. */
  path: string;
  /** Whether the person may change it. */
  mayChange: (watch: Watch) => boolean;
  now: Date;
}

/** A workspace's watches, each with its actions. */
export const WatchList = ({ watches, selected, ...props }: Props) => (
  <ul className="space-y-4">
    {watches.map((watch) => (
      <li
        key={watch.id}
        id={watch.id}
        className={`rounded-lg border px-4 py-3.5 ${watch.id === selected ? "border-line-strong" : "border-line"}`}
      >
        <WatchFacts watch={watch} now={props.now} />
        <WatchActions watch={watch} {...props} />
      </li>
    ))}
  </ul>
);

function WatchFacts({ watch, now }: { watch: Watch; now: Date }) {
  const { url, email, events, dataset, table, disabled_at, disabled_reason, failures, last_sent_at } = watch;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="wrap-anywhere min-w-0 font-medium">
          {url ?? email ?? "No recipient (the account was deleted)"}
        </span>
        <WatchState watch={watch} />
      </p>
      <p className="mt-1 text-muted text-sm">
        {events.map((kind) => NEWS_KINDS[kind].title).join(", ")}:{" "}
        {dataset ? (table ? `${dataset}/${table}` : dataset) : "all datasets of the workspace"}
      </p>
      <p className="mt-1 text-muted text-xs">
        {last_sent_at ? (
          <>
            Last delivered <RelativeTime at={last_sent_at} now={now} />.
            {failures > 0 && ` ${formatPlural(failures, "failed attempt")} since.`}
          </>
        ) : (
          `Nothing delivered yet${failures > 0 ? `: ${formatPlural(failures, "failed attempt")}` : ""}.`
        )}
      </p>
      {disabled_at && <p className="mt-1 text-danger text-sm">{disabled_reason}</p>}
    </>
  );
}

function WatchState({ watch: { disabled_at, failures, channel } }: { watch: Watch }) {
  if (disabled_at) return <Badge tone="danger">Disabled</Badge>;
  if (failures > 0) return <Badge tone="warning">Failing</Badge>;
  return <Badge>{channel === "email" ? "Email" : "Webhook"}</Badge>;
}

function WatchActions({ watch, hrefOf, path, mayChange }: { watch: Watch } & Omit<Props, "watches" | "selected">) {
  const { id, channel, disabled_at, url, email } = watch;
  const own = `${path}/watches/${id}`;
  const recipient = url ?? email ?? "nobody";
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Link href={hrefOf(watch)} prefetch={false} className="link mr-2 text-sm">
        Deliveries
      </Link>
      {mayChange(watch) && (
        <>
          {!disabled_at && <SendButton path={`${own}/test`} label="Send a test" />}
          <ApiForm
            method="PATCH"
            path={own}
            body="enabled"
            only={disabled_at ? ENABLE : DISABLE}
            done={disabled_at ? "Watch enabled." : "Watch disabled."}
          >
            <SubmitButton look="plain" small>
              {disabled_at ? "Enable" : "Disable"}
            </SubmitButton>
          </ApiForm>
          {channel === "webhook" && <ReplaceSigningSecret path={own} />}
          <ConfirmButton
            path={own}
            label="Delete"
            describes={`the watch of ${recipient}`}
            title={`Delete the watch of ${recipient}?`}
            confirm="Delete watch"
            done="Watch deleted."
            focusAfter="watches"
          >
            <p>Its deliveries are deleted too, and nothing more is sent.</p>
          </ConfirmButton>
        </>
      )}
    </div>
  );
}

const ENABLE = { enabled: "yes" };
const DISABLE = { enabled: "no" };

/** Sends a message to a watch's recipient; `path` is that of the account API. */
export const SendButton = ({ path, label }: { path: string; label: string }) => (
  <ApiForm method="POST" path={path} body="none" done="Message queued. Reload the page to see the result.">
    <SubmitButton look="plain" small>
      {label}
    </SubmitButton>
  </ApiForm>
);
