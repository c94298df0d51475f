import { LinkButton } from "@/components/ui/button";
import type { Account } from "@/lib/schemas/account";

interface Props {
  visibility: "public" | "private" | "withdrawn";
  /** Whether anything is current that could be read. */
  isReady: boolean;
  workspace: Pick<Account["workspaces"][number], "name" | "role">;
  /** The page that asks about a change. */
  ask(change: string): string;
}

/** Who can read a dataset, and the ways to publish, withdraw and restore it, each asked on a page of its own. */
export function DatasetReaders({ visibility, isReady, workspace: { name, role }, ask }: Props) {
  const who = {
    public: "Everyone can find, query and download it.",
    private: `Only the members and use keys of ${name} can read it.`,
    withdrawn: "Nobody can read it. Its versions, recipe and runs are kept.",
  }[visibility];
  return (
    <>
      <p>{who}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        {visibility === "private" && isReady && role === "owner" && (
          <LinkButton href={ask("publish")} look="primary">
            Publish…
          </LinkButton>
        )}
        {visibility === "withdrawn" ? (
          <LinkButton href={ask("restore")}>Restore…</LinkButton>
        ) : (
          isReady && <LinkButton href={ask("withdraw")}>Withdraw…</LinkButton>
        )}
      </div>
      {role !== "owner" && (
        <p className="mt-3 text-muted text-sm">Only workspace owners can publish and restore a dataset.</p>
      )}
    </>
  );
}
