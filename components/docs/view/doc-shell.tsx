import { ArrowLeft, ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { Block } from "@/lib/docs/doc";
import { type DocEntry, docMarkdownPath, docPath } from "@/lib/docs/page-list";
import { plainText } from "@/lib/docs/plain-text";
import { SideNav } from "./side-nav";

interface Props {
  slug: string;
  title: string;
  summary: string;
  blocks: readonly Block[];
  previous?: Pick<DocEntry, "slug" | "title">;
  next?: Pick<DocEntry, "slug" | "title">;
  below?: readonly { slug: string; title: string }[];
  children: ReactNode;
}

/** A page of the docs: the list of pages, the page, and its outline. */
export function DocShell({ slug, title, summary, blocks, previous, next, below = [], children }: Props) {
  const headings = blocks.flatMap((block) => (block.kind === "heading" ? [block] : []));
  return (
    <div className="page doc-page">
      <SideNav slug={slug} title={title} below={below} />
      <article className="min-w-0">
        <h1 className="break-words text-3xl">{title}</h1>
        <p className="mt-3 max-w-prose text-lg text-muted">{summary}</p>
        {headings.length > 1 && (
          <details className="doc-menu mt-6 xl:hidden">
            <summary>On this page</summary>
            <OnThisPage headings={headings} />
          </details>
        )}
        {children}
        <Neighbours previous={previous} next={next} />
      </article>
      <div className="hidden xl:block">
        <div className="doc-side">
          {headings.length > 1 && (
            <nav aria-labelledby="on-this-page">
              <p id="on-this-page" className="eyebrow mb-2">
                On this page
              </p>
              <OnThisPage headings={headings} />
            </nav>
          )}
          <a className="mt-5 block text-faint text-xs hover:text-accent" href={docMarkdownPath(slug)}>
            This page as Markdown
          </a>
        </div>
      </div>
    </div>
  );
}

function OnThisPage({ headings }: { headings: readonly Extract<Block, { kind: "heading" }>[] }) {
  return (
    <ul className="doc-toc">
      {headings.map(({ id, title, level }) => (
        <li key={id} className={level === 3 ? "pl-3" : ""}>
          <a className="doc-toc-link" href={`#${id}`}>
            {plainText(title)}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Neighbours({ previous, next }: { previous: Props["previous"] | undefined; next: Props["next"] | undefined }) {
  return (
    <nav aria-label="Next to this page" className="mt-16 grid gap-4 border-line border-t pt-6 sm:grid-cols-2">
      {previous && (
        <a className="doc-neighbour" rel="prev" href={docPath(previous.slug)}>
          <small className="doc-neighbour-way">
            <ArrowLeft size={14} aria-hidden="true" /> Previous
          </small>
          {previous.title}
        </a>
      )}
      {next && (
        <a className="doc-neighbour sm:col-start-2 sm:text-right" rel="next" href={docPath(next.slug)}>
          <small className="doc-neighbour-way sm:justify-end">
            Next <ArrowRight size={14} aria-hidden="true" />
          </small>
          {next.title}
        </a>
      )}
    </nav>
  );
}
