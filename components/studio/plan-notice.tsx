import { Hammer } from "lucide-react";
import Link from "next/link";
import { subscriptionText } from "@/components/settings/subscription-text";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import type { Account } from "@/lib/schemas/account";

interface Props {
  workspace: Account["workspaces"][number];
  /** Where the workspace's plan is shown. */
  planHref: string;
  /** Page or address of the service's administrator. */
  support: string | undefined;
}

/**
 * What a workspace that built datasets has to know about its plan: that a payment failed, or that it has ended and the
 * studio is read-only; and who can change that. Nothing while the plan is in order.
 */
export function PlanNotice({ workspace, planHref, support }: Props) {
  const { role, billing, subscription_active: isActive, past_due_until: until } = workspace;
  if (isActive && until === null) return null;
  return (
    <div className="mt-5 max-w-3xl">
      <Notice tone="warning" title={isActive ? "A payment failed" : "The studio is read-only"}>
        {subscriptionText(workspace)}{" "}
        {!isActive && "Everything that was built is kept and shown here; public datasets stay public. "}
        {billing === "operator"
          ? "The administrator of this service sets the plan."
          : role === "owner"
            ? "You can pay for it."
            : "An owner of the workspace can pay for it."}{" "}
        <Link href={planHref} prefetch={false} className="link">
          See the workspace’s plan
        </Link>
        {support !== undefined && (
          <>
            {" "}
            or{" "}
            <a href={support} className="link">
              ask the administrator
            </a>
          </>
        )}
        .
      </Notice>
    </div>
  );
}

/** What a workspace without a paid plan sees in the studio. */
export const PlanNeeded = ({ href }: { href: string }) => (
  <div className="mt-8 max-w-3xl">
    <EmptyState
      icon={Hammer}
      title="Building requires a paid plan"
      action={<LinkButton href={href}>See the workspace’s plan</LinkButton>}
    >
      <p>
        With the paid plan, you can create recipes, runs and private tables. The workspace’s page says who can change
        the plan.
      </p>
    </EmptyState>
  </div>
);
