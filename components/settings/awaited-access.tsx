import { Cable } from "lucide-react";
import { EmptyState } from "@/components/ui/empty-state";

/** What will stand here, and what to do until it does. */
export function AwaitedAccess() {
  return (
    <EmptyState icon={Cable} title="Nothing can be connected here yet">
      <p>
        Once this service has a command-line sign-in and a connector, each device and each agent that you let in will stand here and can be shut out. Until
        then, give a program or an agent a use key of its own, so that it can be revoked by itself.
      </p>
    </EmptyState>
  );
}
