import Bowser from "bowser";

/** What a person knows a browser by, such as "Firefox on Linux". */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = browser.name || "Unknown browser";
  return os.name ? `${name} on ${os.name}` : name;
}
