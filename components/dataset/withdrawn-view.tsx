import Link from "next/link";

interface WithdrawnProps {
  slug: string;
  title: string;
  /** A sentence with the administrator's reason. */
  reason: string;
}

/** The page of a withdrawn version. */
export const WithdrawnView = ({ slug, title, reason }: WithdrawnProps) => (
  <div className="page py-16 sm:py-20">
    <p className="eyebrow">{title}</p>
    <h1 className="mt-2 text-3xl">This version was withdrawn</h1>
    <p className="wrap-anywhere mt-4 max-w-prose">{reason}</p>
    <p className="mt-4 max-w-prose text-muted">
      It can no longer be read, queried or downloaded. Earlier citations of its version ID and digest remain valid.
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
