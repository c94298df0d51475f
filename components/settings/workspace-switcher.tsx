import { Check, ChevronsUpDown, Plus } from "lucide-react";
import Link from "next/link";
import { Menu } from "@/components/ui/menu";
import type { Account } from "@/lib/schemas/account";

type Workspace = Account["workspaces"][number];

interface Props {
  workspaces: readonly Workspace[];
  current: Workspace;
  /** The URL of this page for another workspace. */
  page: string;
}

const ITEM = "flex items-center gap-2 rounded-sm px-2.5 py-2 hover:bg-surface";

/** The page's workspace, with links to the others. */
export function WorkspaceSwitcher({ workspaces, current, page }: Props) {
  return (
    <Menu
      key={current.id}
      summary={
        <>
          <span className="min-w-0 flex-1">
            <span className="block text-faint text-xs">
              <span className="sr-only">Switch workspace. Current: </span>
              {current.personal ? "Personal workspace" : "Workspace"}
            </span>
            <span className="block truncate font-medium">{current.name}</span>
          </span>
          <ChevronsUpDown size={16} aria-hidden="true" className="shrink-0 text-faint" />
        </>
      }
    >
      <ul>
        {workspaces.map(({ id, name, personal }) => (
          <li key={id}>
            <Link
              href={`${page}?workspace=${id}`}
              prefetch={false}
              className={ITEM}
              aria-current={id === current.id ? "true" : undefined}
            >
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {personal && <span className="text-faint text-xs">personal</span>}
              {id === current.id && <Check size={16} aria-hidden="true" className="shrink-0 text-accent" />}
            </Link>
          </li>
        ))}
        <li className="mt-1 border-line border-t pt-1">
          <Link
            href={`/settings/workspace?workspace=${current.id}#new`}
            prefetch={false}
            className={`${ITEM} text-muted`}
          >
            <Plus size={16} aria-hidden="true" />
            New workspace
          </Link>
        </li>
      </ul>
    </Menu>
  );
}
