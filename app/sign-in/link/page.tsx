import type { Metadata } from "next";
import Link from "next/link";
import { NeedsScript } from "@/components/form/needs-script";
import { LinkSignIn } from "@/components/sign-in/link-sign-in";
import { NarrowPage } from "@/components/sign-in/narrow-page";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

export default function LinkPage() {
  return (
    <NarrowPage title="Sign in">
      <NeedsScript what="Signing in with a link" />
      <LinkSignIn />
      <p className="mt-8 border-line border-t pt-5 text-sm">
        <Link href="/sign-in" className="link">
          Sign in another way
        </Link>
      </p>
    </NarrowPage>
  );
}
