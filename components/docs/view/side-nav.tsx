import { Menu, Search } from "lucide-react";
import { DOC_ENTRIES, DOC_GROUPS, docPath } from "@/lib/docs/page-list";

interface NavProps {
  slug: string;
  /** Further pages below the current one. */
  below?: readonly { slug: string; title: string }[];
  q?: string;
}

/** The pages of the docs: next to the page, or folded above it on narrow screens. */
export function SideNav({ title, ...nav }: NavProps & { title: string }) {
  return (
    <>
      <div className="hidden lg:block">
        <div className="doc-side">
          <SearchDocs q={nav.q} />
          <nav aria-label="Docs">
            <NavGroups {...nav} />
          </nav>
        </div>
      </div>
      <details className="doc-menu lg:hidden">
        <summary>
          <Menu size={16} aria-hidden="true" />
          <span className="sr-only">All docs pages; this is </span>
          {title}
        </summary>
        <SearchDocs q={nav.q} />
        <nav aria-label="Docs, folded">
          <NavGroups {...nav} />
        </nav>
      </details>
    </>
  );
}

function SearchDocs({ q = "" }: { q?: string | undefined }) {
  return (
    <search aria-label="Docs">
      <form action="/docs/search" className="relative mb-5">
        <Search size={15} aria-hidden="true" className="-translate-y-1/2 absolute top-1/2 left-2.5 text-faint" />
        <input
          type="search"
          name="q"
          defaultValue={q}
          aria-label="Search the docs"
          placeholder="Search the docs"
          className="doc-search"
        />
      </form>
    </search>
  );
}

function NavGroups({ slug, below = [] }: NavProps) {
  const section = slug.split("/")[0] ?? "";
  return DOC_GROUPS.map((group) => (
    <div key={group} className="mb-5">
      <p className="eyebrow mb-1.5">{group}</p>
      <ul>
        {DOC_ENTRIES.filter((entry) => entry.group === group).map((entry) => (
          <li key={entry.slug}>
            <NavLink slug={entry.slug} title={entry.title} isCurrent={entry.slug === slug} />
            {entry.slug === section && below.length > 0 && (
              <ul className="doc-below">
                {below.map((page) => (
                  <li key={page.slug}>
                    <NavLink {...page} isCurrent={page.slug === slug} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </div>
  ));
}

function NavLink({ slug, title, isCurrent }: { slug: string; title: string; isCurrent: boolean }) {
  return (
    <a href={docPath(slug)} className="doc-nav-link" aria-current={isCurrent ? "page" : undefined}>
      {title}
    </a>
  );
}
