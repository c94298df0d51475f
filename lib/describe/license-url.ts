import spdxIdentifiers from "spdx-license-list/simple.js";

/** The URL of an SPDX licence's text; undefined for other strings. */
export const licenseUrl = (license: string): string | undefined =>
  spdxIdentifiers.has(license) ? `https://spdx.org/licenses/${license}.html` : undefined;
