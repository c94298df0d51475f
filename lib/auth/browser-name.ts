import Bowser from "bowser";

const NAME_CHARACTERS_MAX = 60;

/**
 * A readable browser name, such as "Firefox on Linux". Clients choose the input, so the result is one short line
 * without control characters.
 */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500).replace(/\p{C}/gu, ""));
  const name = browser.name || "Unknown browser";
  return (os.name ? `${name} on ${os.name}` : name).slice(0, NAME_CHARACTERS_MAX);
}
