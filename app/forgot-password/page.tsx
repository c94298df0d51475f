import type { Metadata } from "next";
import Link from "next/link";
import { NeedsScript } from "@/components/form/needs-script";
import { ForgotPasswordForm } from "@/components/sign-in/forgot-password-form";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { env } from "@/lib/kernel/env";
import { canMail } from "@/lib/mail/mailer";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Forgot your password", robots: { index: false } };

export default function ForgotPasswordPage() {
  return (
    <NarrowPage
      title="Forgot your password?"
      intro={canMail() ? "We’ll email you a link to set a new one." : undefined}
    >
      {canMail() ? (
        <>
          <NeedsScript what="Requesting a link" />
          <ForgotPasswordForm />
        </>
      ) : (
        <p className="text-muted text-sm">
          Password reset by email isn’t set up here. Ask <Administrator url={env().PARQUETRY_SUPPORT} /> for a reset
          link, created by <code className="whitespace-nowrap font-mono text-ink text-xs">parquetry user link</code>.
        </p>
      )}
      <p className="mt-8 border-line border-t pt-5 text-sm">
        <Link href="/sign-in" className="link">
          Back to sign-in
        </Link>
      </p>
    </NarrowPage>
  );
}

/** The person to ask, as a link if the administrator has set one. */
const Administrator = ({ url }: { url: string | undefined }) =>
  url ? (
    <a className="link" href={url}>
      your administrator
    </a>
  ) : (
    "your administrator"
  );
