import Link from "next/link";
import type { ReactNode } from "react";
import { type PlainForms, PlainFormsOf } from "@/components/form/plain-form";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Notice } from "@/components/ui/notice";
import type { Account } from "@/lib/schemas/account";
import { RememberWorkspace } from "./remember-workspace";
import { workspaceAddress } from "./workspace-address";
import { WorkspaceSwitcher } from "./workspace-switcher";

export const SETTINGS_PAGES = {
  access: { path: "/settings/access", title: "Access" },
  secrets: { path: "/settings/secrets", title: "Secrets" },
  watches: { path: "/settings/watches", title: "Watches" },
  workspace: { path: "/settings/workspace", title: "Workspace" },
  account: { path: "/settings/account", title: "Account" },
} as const;

export type SettingsPage = keyof typeof SETTINGS_PAGES;

interface Props {
  page: SettingsPage;
  account: Account;
  workspace: Account["workspaces"][number];
  /** Below the title: the purpose of the page. */
  intro: ReactNode;
  /** How its forms work without JavaScript. */
  plain: PlainForms;
  children: ReactNode;
}

/** The frame of every settings page: workspace, navigation, and who is signed in. */
export function SettingsShell({ page, account, workspace, intro, plain, children }: Props) {
  const { path, title } = SETTINGS_PAGES[page];
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-14 py-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:py-10">
      <div className="lg:sticky lg:top-8 lg:self-start">
        <RememberWorkspace id={workspace.id} />
        <WorkspaceSwitcher
          workspaces={account.workspaces}
          current={workspace}
          page={page === "account" ? SETTINGS_PAGES.access.path : path}
        />
        <nav aria-label="Settings" className="mt-3 border-line border-b lg:mt-4 lg:border-b-0">
          <ul className="-mb-px flex flex-wrap gap-x-5 text-sm lg:block lg:space-y-0.5">
            {Object.entries(SETTINGS_PAGES).map(([name, entry]) => (
              <li key={name}>
                <Link
                  href={workspaceAddress(entry.path, workspace, account.workspaces)}
                  prefetch={false}
                  aria-current={name === page ? "page" : undefined}
                  className="settings-link"
                >
                  {entry.title}
                </Link>
              </li>
            ))}
            <li>
              <Link
                href={workspaceAddress("/studio", workspace, account.workspaces)}
                prefetch={false}
                className="settings-link"
              >
                Studio
              </Link>
            </li>
          </ul>
        </nav>
        <div className="mt-6 hidden border-line border-t pt-4 text-sm lg:block">
          <p title={account.email} className="mb-2 truncate text-muted">
            {account.email}
          </p>
          <SignOutForm />
        </div>
      </div>
      <div className="mt-8 min-w-0 max-w-3xl lg:mt-0">
        <h1 className="text-3xl">{title}</h1>
        <p className="mt-2 max-w-prose text-muted">{intro}</p>
        {plain.reply?.done && (
          <div className="mt-5">
            <Notice tone="ok">{plain.reply.done}</Notice>
          </div>
        )}
        <PlainFormsOf value={plain}>{children}</PlainFormsOf>
        <div className="mt-12 border-line border-t pt-6 text-sm lg:hidden">
          <p className="mb-3 break-words text-muted">
            Signed in as <EmailAddress text={account.email} />
          </p>
          <SignOutForm />
        </div>
      </div>
    </div>
  );
}

/** Ends this browser's session. A plain form, which works without JavaScript. */
function SignOutForm() {
  return (
    <form method="post" action="/api/auth/signout">
      <input type="hidden" name="callbackUrl" value="/" />
      <Button type="submit" small>
        Sign out
      </Button>
    </form>
  );
}
