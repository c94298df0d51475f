import type { Metadata } from "next";
import { visitorContext } from "@/app/context";
import { NeedsScript } from "@/components/form/needs-script";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { VerifyEmailForm } from "@/components/sign-in/verify-email-form";

export const metadata: Metadata = { title: "Confirm your email address", robots: { index: false } };

export default async function VerifyEmailPage() {
  const onward = (await visitorContext()) ? "/settings/account" : "/sign-in?after=verified";
  return (
    <NarrowPage title="Confirm your email address" intro="Enter your password to finish signing up.">
      <NeedsScript what="Confirming an address" />
      <VerifyEmailForm onward={onward} />
    </NarrowPage>
  );
}
