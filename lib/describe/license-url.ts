import spdxIdentifiers from "spdx-license-list/simple.js";

/** The text of an SPDX licence; undefined for other words. */
export const licenseUrl = (license: string): string | undefined =>
  spdxIdentifiers.has(license) ? `https://spdx.org/licenses/${license}.html` : undefined;
