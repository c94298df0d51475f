import type { Metadata } from "next";
import { visitorContext } from "@/app/context";
import { NeedsScript } from "@/components/form/needs-script";
import { InvitationView } from "@/components/sign-in/invitation-view";
import { NarrowPage } from "@/components/sign-in/narrow-page";
import { personOf } from "@/lib/access/authorize";

export const metadata: Metadata = { title: "Invitation", robots: { index: false } };

export default async function InvitationPage() {
  const ctx = await visitorContext();
  return (
    <NarrowPage
      title="You are invited"
      intro="Members of a workspace share its datasets, plan and usage. Each has their own keys."
    >
      <NeedsScript what="Accepting an invitation" />
      <InvitationView signedInAs={ctx ? personOf(ctx).email : null} />
    </NarrowPage>
  );
}
