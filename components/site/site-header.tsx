import { Search } from "lucide-react";
import Link from "next/link";
import { AccountLink } from "./account-link";

import { ThemeSwitch } from "./theme-switch";

const NAV = [
  { href: "/datasets", label: "Datasets" },
  { href: "/docs", label: "Docs" },
] as const;

export function SiteHeader() {
  return (
    <header className="border-line border-b">
      <a
        href="#content"
        className={
          "sr-only focus:not-sr-only focus:absolute focus:m-2 focus:rounded-md focus:bg-accent focus:px-3 " +
          "focus:py-2 focus:text-on-accent"
        }
      >
        Skip to content
      </a>
      <div className="page flex h-14 items-center gap-3 max-[21rem]:gap-1 sm:gap-6">
        <Link href="/" className="flex items-center gap-2.5 font-semibold tracking-tight">
          <Logo />
          <span className="max-[24.3rem]:sr-only">Parquetry</span>
        </Link>
        <nav aria-label="Main" className="flex items-center gap-1 text-sm">
          {NAV.map((entry) => (
            <Link
              key={entry.href}
              href={entry.href}
              className="rounded-md px-2 py-1.5 text-muted hover:bg-surface hover:text-ink sm:px-2.5"
            >
              {entry.label}
            </Link>
          ))}
          <a
            href="/sql"
            className={
              "if-signed-in rounded-md px-2 py-1.5 text-muted hover:bg-surface hover:text-ink max-sm:hidden sm:px-2.5"
            }
          >
            SQL
          </a>
          <a
            href="/studio"
            className={
              "if-signed-in rounded-md px-2 py-1.5 text-muted hover:bg-surface hover:text-ink max-sm:hidden sm:px-2.5"
            }
          >
            Studio
          </a>
        </nav>
        <search aria-label="Site" className="ml-auto hidden w-64 md:block">
          <form action="/datasets" className="relative">
            <Search size={16} aria-hidden="true" className="-translate-y-1/2 absolute top-1/2 left-2.5 text-faint" />
            <input
              type="search"
              name="q"
              aria-label="Search datasets"
              placeholder="Search datasets"
              className={
                "h-9 w-full rounded-md border border-line bg-surface pr-3 pl-8 text-sm placeholder:text-faint " +
                "hover:border-line-strong"
              }
            />
          </form>
        </search>
        <div className="ml-auto flex items-center gap-1 max-[21rem]:gap-0 md:ml-0">
          <a
            href="/datasets"
            title="Search datasets"
            className="rounded-md p-2 text-muted hover:bg-surface hover:text-ink max-[21rem]:px-1 md:hidden"
          >
            <Search size={18} aria-hidden="true" />
            <span className="sr-only">Search datasets</span>
          </a>
          <AccountLink />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  );
}

/** The mark: four staves of a herringbone floor. Decorative; the name is next to it. */
function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="shrink-0 text-accent">
      <path d="M0 7 7 0h5v2.5L2.5 12H0z" fill="currentColor" />
      <path d="M24 7 17 0h-5v2.5L21.5 12H24z" fill="currentColor" opacity=".55" />
      <path d="M2.5 12 12 21.5V24H7L0 17v-5z" fill="currentColor" opacity=".55" />
      <path d="M21.5 12 12 21.5V24h5l7-7v-5z" fill="currentColor" />
    </svg>
  );
}
