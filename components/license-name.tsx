import spdxIdentifiers from "spdx-license-list/simple";

/** A licence, linked to its text where it is an SPDX identifier. */
export function LicenseName({ license }: { license: string }) {
  if (!spdxIdentifiers.has(license)) return <span>{license}</span>;
  return (
    <a className="link" href={licenseUrl(license)} rel="license">
      {license}
    </a>
  );
}

/** The text of an SPDX licence; undefined for other words. */
export const licenseUrl = (license: string): string | undefined => (spdxIdentifiers.has(license) ? `https://spdx.org/licenses/${license}.html` : undefined);
