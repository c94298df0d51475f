import Link from "next/link";
import type { ComponentProps } from "react";

/**
 * `plain` for most, one `primary` per view, `danger` for irreversible actions, `quiet` where a border would distract.
 */
export type ButtonLook = "plain" | "primary" | "danger" | "quiet";

interface Looks {
  look?: ButtonLook | undefined;
  small?: boolean | undefined;
  className?: string | undefined;
}

const lookOf = ({ look = "plain", small, className = "" }: Looks): string =>
  `button button-${look} ${small ? "button-small" : ""} ${className}`;

type ButtonProps = ComponentProps<"button"> &
  Looks & {
    /** Busy: the button remains focusable and does not act twice. */
    pending?: boolean;
  };

/** A button that does something on this page, by JavaScript unless it submits a form. */
export function Button({ look, small, className, pending = false, type = "button", ...button }: ButtonProps) {
  return (
    <button
      {...button}
      type={type}
      aria-disabled={pending || undefined}
      className={
        `${lookOf({ look, small, className })} ${pending ? "is-pending" : ""} ` +
        `${type === "button" ? "needs-script" : ""}`
      }
    />
  );
}

/** A link to another page that looks like a button. */
export function LinkButton({ look, small, className, ...link }: ComponentProps<typeof Link> & Looks) {
  return <Link prefetch={false} {...link} className={lookOf({ look, small, className })} />;
}
