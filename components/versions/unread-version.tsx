import Link from "next/link";
import { Notice } from "@/components/ui/notice";

interface Props {
  /** What was wrong, and which versions exist. */
  message: string;
  slug: string;
  /** The page of the current version. */
  current: string;
}

/** In place of a version that a URL names and that cannot be read. Nothing of another version is shown. */
export const UnreadVersion = ({ message, slug, current }: Props) => (
  <Notice tone="warning" title="This version could not be read">
    <p className="wrap-anywhere">{message}</p>
    <p className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
      <Link className="link" href={current} prefetch={false}>
        The current version
      </Link>
      <Link className="link" href={`/datasets/${slug}/versions`} prefetch={false}>
        All versions
      </Link>
    </p>
  </Notice>
);
