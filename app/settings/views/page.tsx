import type { Metadata } from "next";
import { Missing } from "@/app/missing";
import type { SearchParams } from "@/app/search-params";
import { settingsContext } from "@/app/settings/settings-context";
import { SettingsSection, SettingsShell } from "@/components/settings/settings-shell";
import { ViewList } from "@/components/settings/view-list";
import { listSavedViews } from "@/lib/operations/account/saved-views";
import { execute } from "@/lib/operations/execute";

export const metadata: Metadata = { title: "Views" };

/** The views that a person has saved. Every form works without JavaScript. */
export default async function ViewsPage({ searchParams }: { searchParams: SearchParams }) {
  const settings = await settingsContext("views", searchParams);
  if (!settings) return <Missing />;
  const { ctx, account, workspace, plain } = settings;
  const { views } = await execute(listSavedViews, {}, ctx);
  return (
    <SettingsShell
      page="views"
      account={account}
      workspace={workspace}
      plain={plain}
      intro={
        "The views of tables that you saved, in all workspaces. Each has a short link, which follows new versions " +
        "unless the view names one."
      }
    >
      <SettingsSection id="views" title="Saved views">
        <ViewList
          views={views}
          watchUrl={({ id }) => `/settings/watches?workspace=${workspace.id}&view=${id}#new`}
          now={ctx.now()}
        />
      </SettingsSection>
    </SettingsShell>
  );
}
