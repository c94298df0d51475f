import { Check, ChevronsUpDown, Plus } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { type PlainForms, PlainFormsOf } from "@/components/form/plain-form";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Menu } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import type { Account } from "@/lib/schemas/account";
import { RememberWorkspace } from "./remember-workspace";
import { workspaceAddress } from "./workspace-address";

export const SETTINGS_PAGES = {
  access: { path: "/settings/access", title: "Access" },
  secrets: { path: "/settings/secrets", title: "Secrets" },
  watches: { path: "/settings/watches", title: "Watches" },
  views: { path: "/settings/views", title: "Views" },
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

interface SwitcherProps {
  workspaces: Account["workspaces"];
  current: Account["workspaces"][number];
  /** The URL of this page for another workspace. */
  page: string;
}

const ITEM = "flex items-center gap-2 rounded-sm px-2.5 py-2 hover:bg-surface";

/** The page's workspace, with links to the others. */
function WorkspaceSwitcher({ workspaces, current, page }: SwitcherProps) {
  return (
    <Menu
      key={current.id}
      summary={
        <>
          <span className="min-w-0 flex-1">
            <span className="block text-faint text-xs">
              <span className="sr-only">Switch workspace. Current: </span>
              {current.personal ? "Personal workspace" : "Workspace"}
            </span>
            <span className="block truncate font-medium">{current.name}</span>
          </span>
          <ChevronsUpDown size={16} aria-hidden="true" className="shrink-0 text-faint" />
        </>
      }
    >
      <ul>
        {workspaces.map(({ id, name, personal }) => (
          <li key={id}>
            <Link
              href={`${page}?workspace=${id}`}
              prefetch={false}
              className={ITEM}
              aria-current={id === current.id ? "true" : undefined}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {personal && <span className="text-faint text-xs">personal</span>}
              {id === current.id && <Check size={16} aria-hidden="true" className="shrink-0 text-accent" />}
            </Link>
          </li>
        ))}
        <li className="mt-1 border-line border-t pt-1">
          <Link
            href={`/settings/workspace?workspace=${current.id}#new`}
            prefetch={false}
            className={`${ITEM} text-muted`}
          >
            <Plus size={16} aria-hidden="true" />
            New workspace
          </Link>
        </li>
      </ul>
    </Menu>
  );
}

/**
 * A part of a settings page. `id` is its heading's: the heading can take the focus, for when the focused row is
 * removed.
 */
export function SettingsSection({
  id,
  title,
  intro,
  action,
  children,
}: {
  id: string;
  title: string;
  intro?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="mt-12 first-of-type:mt-8">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-line border-b pb-3">
        <div className="min-w-0">
          <h2 id={id} tabIndex={-1} className="text-xl">
            {title}
          </h2>
          {intro && <p className="mt-1 max-w-prose text-muted text-sm">{intro}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
