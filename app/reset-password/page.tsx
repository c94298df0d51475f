import type { Metadata } from "next";
import Link from "next/link";
import { NeedsScript } from "@/components/form/needs-script";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { ResetPasswordForm } from "@/components/sign-in/reset-password-form";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Set a new password", robots: { index: false } };

export default function ResetPasswordPage() {
  return (
    <NarrowPage title="Set a new password" intro="This signs your account out of every browser.">
      <NeedsScript what="Setting a password" />
      <ResetPasswordForm />
      <p className="mt-8 border-line border-t pt-5 text-sm">
        <Link href="/forgot-password" className="link">
          Request a new link
        </Link>
      </p>
    </NarrowPage>
  );
}
