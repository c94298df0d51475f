import type { ReactNode } from "react";
import { ConfirmButton } from "@/components/form/confirm-button";
import type { AccessKey } from "@/lib/schemas/workspace";

interface Props {
  entry: Pick<AccessKey, "id" | "name">;
  /** The workspace's path in the API. */
  path: string;
  /** Id of the element that gets the focus afterwards. */
  focusAfter: string;
  /** What stops working. */
  children: ReactNode;
}

/** Revokes a key once the person has confirmed it. */
export const RevokeKeyButton = ({ entry: { id, name }, path, focusAfter, children }: Props) => (
  <ConfirmButton
    path={`${path}/keys/${id}`}
    label="Revoke"
    describes={name}
    title={`Revoke “${name}”?`}
    confirm="Revoke key"
    done={`The key “${name}” is revoked.`}
    focusAfter={focusAfter}
  >
    {children}
  </ConfirmButton>
);
