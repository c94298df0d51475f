import { CircleUserRound } from "lucide-react";

const WAYS = [
  { href: "/sign-in", label: "Sign in", shown: "if-signed-out" },
  { href: "/settings", label: "Settings", shown: "if-signed-in" },
] as const;

/**
 * Both ways to the account; the style sheet shows one. They are no links of the router's: what they lead to depends on
 * the session.
 */
export function AccountLink() {
  return WAYS.map(({ href, label, shown }) => (
    <a
      key={href}
      href={href}
      title={label}
      className={`${shown} rounded-md p-2 text-muted text-sm hover:bg-surface hover:text-ink sm:px-2.5 sm:py-1.5`}
    >
      <CircleUserRound size={18} aria-hidden="true" className="sm:hidden" />
      <span className="sr-only sm:not-sr-only">{label}</span>
    </a>
  ));
}
