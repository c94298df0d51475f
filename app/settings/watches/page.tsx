import { BellRing } from "lucide-react";
import type { Metadata } from "next";
import { cookies } from "next/headers";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { type SettingsContext, settingsContext } from "@/app/settings/settings-context";
import { ShownOnce } from "@/components/form/shown-once";
import { DeliveryTable } from "@/components/settings/delivery-table";
import { NewWatch } from "@/components/settings/new-watch";
import { SettingsSection } from "@/components/settings/settings-section";
import { SettingsShell } from "@/components/settings/settings-shell";
import { WatchList } from "@/components/settings/watch-list";
import { watchDone, watchProblem } from "@/components/settings/watch-words";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { personOf } from "@/lib/access/authorize";
import { shownSecret } from "@/lib/http/shown-secret";
import { studioFields } from "@/lib/http/studio-form";
import { canMail } from "@/lib/mail/mailer";
import { execute } from "@/lib/operations/execute";
import { listDeliveries, listWatches } from "@/lib/operations/workspace/watches";
import type { Watch } from "@/lib/schemas/watch";

export const metadata: Metadata = { title: "Watches" };

const SHOWN = 50;

/** Notifications and their deliveries. Every form works without JavaScript. */
export default async function WatchesPage({ searchParams }: { searchParams: SearchParams }) {
  const { error, wait, sent, watch: selected } = await singleValues(searchParams);
  const settings = await settingsContext("watches", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { watches } = await execute(listWatches, { path: { workspace_id: workspace.id } }, ctx);
  const fields = (given: Record<string, string>) =>
    studioFields(personOf(ctx).id, { workspace_id: workspace.id, ...given });
  const mayChange = ({ channel, mine }: Watch): boolean => channel === "webhook" || mine || workspace.role === "owner";
  const chosen = watches.find(({ id }) => id === selected);
  const problem = watchProblem(error, wait);
  const done = watchDone(sent);
  return (
    <SettingsShell
      page="watches"
      account={account}
      workspace={workspace}
      plain={plain}
      intro="Notifications when a run fails, an approval is requested, a version is released or a table becomes stale."
    >
      <div className="mt-5 space-y-3 empty:hidden">
        {problem && <Notice tone="danger">{problem}</Notice>}
        {done && <Notice tone="ok">{done}</Notice>}
        {chosen && <NewSecret watch={chosen} />}
      </div>
      <SettingsSection id="watches" title="Webhooks and emails">
        <div className="space-y-6">
          {watches.length > 0 ? (
            <WatchList
              watches={watches}
              selected={chosen?.id}
              hrefOf={({ id }) => `/settings/watches?workspace=${workspace.id}&watch=${id}#deliveries`}
              fieldsOf={({ id }, form, more = {}) => fields({ form, watch_id: id, ...more })}
              mayChange={mayChange}
              now={ctx.now()}
            />
          ) : (
            <NoWatches />
          )}
          <NewWatch
            path={`/api/account/workspaces/${workspace.id}`}
            email={canMail() && account.email_verified ? account.email : undefined}
            noEmail={
              canMail()
                ? "Emails are sent only to confirmed addresses. Confirm yours under Account to receive them."
                : "Email isn’t set up here, but webhooks and feeds work."
            }
          />
        </div>
      </SettingsSection>
      {chosen && (
        <Deliveries
          settings={settings}
          watch={chosen}
          resend={
            mayChange(chosen) && !chosen.disabled_at
              ? (id) => fields({ form: "watch_resend", watch_id: chosen.id, delivery_id: id })
              : undefined
          }
        />
      )}
    </SettingsShell>
  );
}

/** The signing secret that a form has just created, shown for a minute. */
async function NewSecret({ watch }: { watch: Watch }) {
  const jar = await cookies();
  const secret = shownSecret(watch.id, (name) => jar.get(name)?.value);
  if (secret === undefined) return null;
  return (
    <Notice tone="ok" title="Signing secret">
      <p className="mb-2">Copy it now. It is shown for only a minute. Your receiver needs it to verify each message.</p>
      <ShownOnce text={secret} label="secret" />
    </Notice>
  );
}

interface DeliveriesProps {
  settings: SettingsContext;
  watch: Watch;
  resend: ((id: string) => Readonly<Record<string, string>>) | undefined;
}

async function Deliveries({ settings: { ctx, workspace }, watch, resend }: DeliveriesProps) {
  const path = { workspace_id: workspace.id, watch_id: watch.id };
  const { deliveries } = await execute(listDeliveries, { path, query: { limit: SHOWN } }, ctx);
  return (
    <SettingsSection
      id="deliveries"
      title="Deliveries"
      intro={
        `To ${watch.url ?? watch.email ?? "nobody"}, in the last 30 days. Failed messages are retried for a day, ` +
        "with the same ID."
      }
    >
      {deliveries.length > 0 ? (
        <DeliveryTable deliveries={deliveries} now={ctx.now()} fieldsOf={resend && (({ id }) => resend(id))} />
      ) : (
        <p className="text-muted">No deliveries yet. Send a test to see one.</p>
      )}
    </SettingsSection>
  );
}

const NoWatches = () => (
  <EmptyState icon={BellRing} title="No watches yet">
    <p>
      A webhook notifies your program{canMail() && "; an email notifies you"}. Watch the workspace’s own datasets or any
      public one.
    </p>
    <p>Every dataset also has a public Atom feed of its versions.</p>
  </EmptyState>
);
