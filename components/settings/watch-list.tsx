import Link from "next/link";
import { StudioForm } from "@/components/form/studio-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatPlural } from "@/lib/kernel/format";
import { NEWS_KINDS } from "@/lib/schemas/news-kinds";
import type { Watch } from "@/lib/schemas/watch";

interface Props {
  watches: readonly Watch[];
  /** The watch whose deliveries are shown. */
  selected: string | undefined;
  /** The URL of the page that shows a watch's deliveries. */
  hrefOf: (watch: Watch) => string;
  /** Made by `studioFields`. */
  fieldsOf: (watch: Watch, form: string, more?: Record<string, string>) => Readonly<Record<string, string>>;
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

function WatchActions({ watch, hrefOf, fieldsOf, mayChange }: { watch: Watch } & Omit<Props, "watches" | "selected">) {
  const { channel, disabled_at } = watch;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Link href={hrefOf(watch)} prefetch={false} className="link mr-2 text-sm">
        Deliveries
      </Link>
      {mayChange(watch) && (
        <>
          {!disabled_at && <Act fields={fieldsOf(watch, "watch_test")} label="Send a test" />}
          <Act
            fields={fieldsOf(watch, "watch_change", { enabled: disabled_at ? "yes" : "no" })}
            label={disabled_at ? "Enable" : "Disable"}
          />
          {channel === "webhook" && (
            <Confirm label="New secret" says="Messages are signed with the new secret immediately.">
              <Act fields={fieldsOf(watch, "watch_secret")} label="Replace secret" />
            </Confirm>
          )}
          <Confirm label="Delete" says="Its deliveries are deleted too.">
            <Act fields={fieldsOf(watch, "watch_delete")} label="Delete watch" isDangerous />
          </Confirm>
        </>
      )}
    </div>
  );
}

const Act = ({
  fields,
  label,
  isDangerous,
}: {
  fields: Readonly<Record<string, string>>;
  label: string;
  isDangerous?: true;
}) => (
  <StudioForm fields={fields}>
    <Button type="submit" small look={isDangerous ? "danger" : "plain"}>
      {label}
    </Button>
  </StudioForm>
);

/** Asks for confirmation, without JavaScript. */
const Confirm = ({ label, says, children }: { label: string; says: string; children: React.ReactNode }) => (
  <details className="text-sm open:basis-full">
    <summary className="link w-fit cursor-pointer">{label}</summary>
    <div className="mt-2 flex flex-wrap items-center gap-3 text-muted">
      <span>{says}</span>
      {children}
    </div>
  </details>
);
