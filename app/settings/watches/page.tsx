import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { type SettingsContext, settingsContext } from "@/app/settings/settings-context";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { NewWatch } from "@/components/settings/watch-forms";
import { DeliveryList, WatchList } from "@/components/settings/watch-list";
import { canMail } from "@/lib/mail/mailer";
import { execute } from "@/lib/operations/execute";
import { listDeliveries, listWatches } from "@/lib/operations/workspace/watches";
import type { Watch } from "@/lib/schemas/watch";

export const metadata: Metadata = { title: "Watches" };

const SHOWN = 50;

/** Notifications and their deliveries. Every form works without JavaScript. */
export default async function WatchesPage({ searchParams }: { searchParams: SearchParams }) {
  const { watch: selected, dataset } = await singleValues(searchParams);
  const settings = await settingsContext("watches", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { watches } = await execute(listWatches, { path: { workspace_id: workspace.id } }, ctx);
  const path = `/api/account/workspaces/${workspace.id}`;
  const mayChange = ({ channel, mine }: Watch): boolean => channel === "webhook" || mine || workspace.role === "owner";
  const chosen = watches.find(({ id }) => id === selected);
  return (
    <SettingsShell
      page="watches"
      account={account}
      workspace={workspace}
      plain={plain}
      intro="Notifications when a run fails, an approval is requested, a version is released or a table becomes stale."
    >
      <SettingsSection id="watches" title="Webhooks and emails">
        <WatchList
          watches={watches}
          selected={chosen?.id}
          hrefOf={({ id }) => `/settings/watches?workspace=${workspace.id}&watch=${id}#deliveries`}
          path={path}
          mayChange={mayChange}
          canMail={canMail()}
          now={ctx.now()}
        />
        <div className="mt-6">
          <NewWatch
            path={path}
            dataset={dataset}
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
          path={mayChange(chosen) && !chosen.disabled_at ? `${path}/watches/${chosen.id}` : undefined}
        />
      )}
    </SettingsShell>
  );
}

interface DeliveriesProps {
  settings: SettingsContext;
  watch: Watch;
  /** Path of the watch in the account API; undefined if the person cannot send again. */
  path: string | undefined;
}

async function Deliveries({ settings: { ctx, workspace }, watch, path }: DeliveriesProps) {
  const given = { workspace_id: workspace.id, watch_id: watch.id };
  const { deliveries } = await execute(listDeliveries, { path: given, query: { limit: SHOWN } }, ctx);
  return (
    <SettingsSection
      id="deliveries"
      title="Deliveries"
      intro={
        `To ${watch.url ?? watch.email ?? "nobody"}, in the last 30 days. Failed messages are retried for a day, ` +
        "with the same ID."
      }
    >
      <DeliveryList deliveries={deliveries} now={ctx.now()} path={path} />
    </SettingsSection>
  );
}
