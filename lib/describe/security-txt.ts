const DAY_MS = 86_400_000;
/** Less than a year, as RFC 9116 section 2.5.5 recommends; the file is regenerated each day. */
const VALID_DAYS = 180;

/** Where to report a vulnerability (RFC 9116). `contact` is a mailto: or https: URL. Pure. */
export function securityTxt(contact: string, base: string, now: Date): string {
  const today = now.getTime() - (now.getTime() % DAY_MS);
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + VALID_DAYS * DAY_MS).toISOString().replace(".000Z", "Z")}`,
    "Preferred-Languages: en",
    // Both must be https: section 2.5.2 of Canonical, section 2.5.7 of Policy.
    ...(base.startsWith("https://")
      ? [`Canonical: ${base}/.well-known/security.txt`, `Policy: ${base}/docs/accounts#security`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}
