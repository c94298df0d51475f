import type { Metadata } from "next";
import type { ComponentProps } from "react";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { type SettingsContext, settingsContext } from "@/app/settings/settings-context";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { NewWatch } from "@/components/settings/watch-forms";
import { DeliveryList, WatchList } from "@/components/settings/watch-list";
import { Notice } from "@/components/ui/notice";
import { Failure } from "@/lib/kernel/errors";
import { canMail } from "@/lib/mail/mailer";
import { listSavedViews } from "@/lib/operations/account/saved-views";
import { execute } from "@/lib/operations/execute";
import { numericResultColumns } from "@/lib/operations/watched-views/evaluate-view";
import { listDeliveries, listWatches } from "@/lib/operations/workspace/watches";
import type { Watch } from "@/lib/schemas/watch";

export const metadata: Metadata = { title: "Watches" };

const SHOWN = 50;

/** Notifications and their deliveries. Every form works without JavaScript. */
export default async function WatchesPage({ searchParams }: { searchParams: SearchParams }) {
  const { watch: selected, dataset, view: viewId } = await singleValues(searchParams);
  const settings = await settingsContext("watches", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { watches } = await execute(listWatches, { path: { workspace_id: workspace.id } }, ctx);
  const path = `/api/account/workspaces/${workspace.id}`;
  const mayChange = ({ channel, mine }: Watch): boolean => channel === "webhook" || mine || workspace.role === "owner";
  const chosen = watches.find(({ id }) => id === selected);
  const view = await viewToWatch(viewId ?? plain.reply?.typed.view, settings);
  return (
    <SettingsShell
      page="watches"
      account={account}
      workspace={workspace}
      plain={plain}
      intro={
        "Notifications when a run fails, an approval is requested, a version is released, a table becomes stale, or " +
        "the result of a saved view changes."
      }
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
          {view.problem && (
            <div className="mb-4">
              <Notice tone="warning" title="This view cannot be watched">
                {view.problem}
              </Notice>
            </div>
          )}
          {view.offered && (
            <p className="mb-3">
              The result of{" "}
              <a className="link" href={`/v/${view.offered.id}`}>
                {view.offered.name}
              </a>{" "}
              is compared with the last one whenever its table has a new version.
            </p>
          )}
          <NewWatch
            path={path}
            dataset={dataset}
            view={view.offered}
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

/** The person's saved view of this id, with the columns that a threshold may be of, or why it cannot be watched. */
async function viewToWatch(
  id: string | undefined,
  { ctx, workspace }: SettingsContext,
): Promise<{ offered?: ComponentProps<typeof NewWatch>["view"]; problem?: string }> {
  if (!id) return {};
  const { views } = await execute(listSavedViews, {}, ctx);
  const view = views.find((one) => one.id === id);
  if (!view) return { problem: "You have no saved view with this link. It may have been deleted." };
  if (view.page === "sql") return { problem: "A query in SQL runs only in a browser and cannot be watched." };
  try {
    const columns = await numericResultColumns({ tableId: view.table_id, query: view.query }, workspace.id, ctx);
    const name = view.title ?? (view.table ? `View of ${view.table.name}` : "Untitled view");
    return { offered: { id, name, columns } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const isHidden = error.code === "not_found";
    return {
      problem: isHidden ? `The workspace ${workspace.name} cannot read its table. Switch workspaces.` : error.fact,
    };
  }
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
