import { licenseUrl } from "@/lib/describe/license-url";

/** A licence, linked to its text if it is an SPDX identifier. */
export function LicenseName({ license }: { license: string }) {
  const url = licenseUrl(license);
  if (!url) return <span>{license}</span>;
  return (
    <a className="link" href={url} rel="license">
      {license}
    </a>
  );
}
