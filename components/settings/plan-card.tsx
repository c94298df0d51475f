"use client";

import type { ReactNode } from "react";
import { ApiForm } from "@/components/form/api-form";
import { useFormReply } from "@/components/form/plain-form";
import { SubmitButton } from "@/components/form/submit-button";
import { Badge } from "@/components/ui/badge";
import type { ButtonLook } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Account } from "@/lib/schemas/account";
import { subscriptionText } from "./subscription-text";

type Workspace = Account["workspaces"][number];

const PLANS = [
  { plan: "free", title: "Free", gives: "Search, query and download every public dataset with API keys." },
  {
    plan: "paid",
    title: "Paid",
    gives:
      "Everything in Free. Build your own datasets from files and APIs, refresh them, and serve their tables on " +
      "the hosted table API.",
  },
] as const;

/** Both plans, with the workspace's own marked, and the button to switch. */
export function PlanCard({ workspace, api }: { workspace: Workspace; api: string }) {
  return (
    <>
      <ul className="grid gap-3 sm:grid-cols-2">
        {PLANS.map(({ plan, title, gives }) => {
          const isOwn = plan === workspace.plan;
          return (
            <li key={plan} className="text-sm">
              <Card isChosen={isOwn}>
                <p className="flex items-center justify-between gap-3 font-medium text-base">
                  {title}
                  {isOwn && <Badge tone="accent">your plan</Badge>}
                </p>
                <p className="mt-1.5 text-muted">{gives}</p>
              </Card>
            </li>
          );
        })}
      </ul>
      <div className="mt-4 text-sm">
        {workspace.subscription && <p className="mb-3">{subscriptionText(workspace)}</p>}
        <PlanChange workspace={workspace} api={api} />
      </div>
    </>
  );
}

function PlanChange({ workspace: { billing, role }, api }: { workspace: Workspace; api: string }): ReactNode {
  if (billing === "operator") return <p className="text-muted">Plans are managed by the service administrator.</p>;
  if (role !== "owner") return <p className="text-muted">Only owners can change the plan.</p>;
  if (billing === "portal")
    return (
      <>
        <BillingButton path={`${api}/billing-portal`}>Manage billing</BillingButton>
        <p className="mt-2 text-muted text-xs">Opens Stripe, for invoices, payment methods and cancellation.</p>
      </>
    );
  return (
    <>
      <BillingButton path={`${api}/checkout`} look="primary">
        Upgrade to Paid
      </BillingButton>
      <p className="mt-2 text-muted text-xs">
        Opens a Stripe page with the price. The plan changes as soon as you have paid.
      </p>
    </>
  );
}

/** A button that opens the page that the service replies with. Without JavaScript, that is a link. */
function BillingButton({ path, look = "plain", children }: { path: string; look?: ButtonLook; children: ReactNode }) {
  const call = { method: "POST", path, body: "none" } as const;
  const url = useFormReply(call)?.data?.url;
  return (
    <>
      <ApiForm<{ url: string }>
        {...call}
        onDone={(reply) => {
          window.location.assign(reply.url);
          return false;
        }}
      >
        <SubmitButton look={look}>{children}</SubmitButton>
      </ApiForm>
      {typeof url === "string" && (
        <p className="mt-2">
          <a href={url} className="link">
            Continue
          </a>
        </p>
      )}
    </>
  );
}
