import { Hammer } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

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
