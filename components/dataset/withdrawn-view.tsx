import Link from "next/link";

/** What the address of a withdrawn version shows. */
export const WithdrawnView = ({ slug, title }: { slug: string; title: string }) => (
  <div className="page py-16 sm:py-20">
    <p className="eyebrow">{title}</p>
    <h1 className="mt-2 text-3xl">This version was withdrawn</h1>
    <p className="mt-4 max-w-prose text-muted">
      It can no longer be read, queried or downloaded, because it contained data that must not be distributed or was
      published by mistake. Earlier citations of its version ID and digest remain valid.
    </p>
    <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2">
      <Link href={`/datasets/${slug}/versions`} className="link">
        Available versions
      </Link>
      <Link href={`/datasets/${slug}`} className="link">
        The current version
      </Link>
    </p>
  </div>
);
