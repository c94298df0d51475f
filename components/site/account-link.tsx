import { CircleUserRound } from "lucide-react";

const LOOK = "rounded-md p-2 text-muted text-sm hover:bg-surface hover:text-ink sm:px-2.5 sm:py-1.5";

/** Links in the account menu on phones, where the header has no room for them. */
const OWN = [
  { href: "/studio", label: "Studio" },
  { href: "/settings/views", label: "Saved views" },
  { href: "/settings", label: "Settings" },
] as const;

/**
 * Links to sign-in and to the account; the style sheet shows one. Plain links, not the router's, because their targets
 * depend on the session. Without JavaScript, the page cannot know whether the reader is signed in, so it shows one link
 * that works for both.
 */
export function AccountLink() {
  return (
    <>
      <a href="/settings" title="Account" className={`if-no-script ${LOOK}`}>
        <CircleUserRound size={18} aria-hidden="true" className="sm:hidden" />
        <span className="sr-only sm:not-sr-only">Account</span>
      </a>
      <a href="/sign-in" title="Sign in" className={`if-signed-out needs-script ${LOOK}`}>
        <CircleUserRound size={18} aria-hidden="true" className="sm:hidden" />
        <span className="sr-only sm:not-sr-only">Sign in</span>
      </a>
      <a href="/settings" className={`if-signed-in max-sm:hidden ${LOOK}`}>
        Settings
      </a>
      <PhoneMenu />
    </>
  );
}

/** Folds without JavaScript, because it is on every page. */
const PhoneMenu = () => (
  <details className="if-signed-in menu sm:hidden">
    <summary className={`list-none ${LOOK} [&::-webkit-details-marker]:hidden`}>
      <CircleUserRound size={18} aria-hidden="true" />
      <span className="sr-only">Your account</span>
    </summary>
    <nav aria-label="Account" className="menu-panel right-0 w-40">
      {OWN.map(({ href, label }) => (
        <a key={href} href={href} className="block rounded-md px-3 py-2 text-sm hover:bg-surface">
          {label}
        </a>
      ))}
    </nav>
  </details>
);
