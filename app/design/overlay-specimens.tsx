"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Menu } from "@/components/ui/menu";
import { announce } from "@/components/ui/toast";

/** What lies over the page, each behind the button that shows it. */
export function OverlaySpecimens() {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-start gap-3">
      <Button onClick={() => setOpen(true)}>Ask a question</Button>
      <Button onClick={() => announce("The key “laptop” is revoked.")}>Show a success message</Button>
      <Button onClick={() => announce("Copying failed. Select the text instead.", "danger")}>
        Show an error message
      </Button>
      <div className="w-48">
        <Menu summary="A menu">
          <ul>
            <li>
              <a href="/datasets" className="block rounded-sm px-2.5 py-2 hover:bg-surface">
                Datasets
              </a>
            </li>
          </ul>
        </Menu>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title="Revoke “laptop”?">
        <p className="mt-2 text-muted text-sm">
          Requests with this key are rejected from now on. This cannot be undone.
        </p>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button look="danger" onClick={() => setOpen(false)}>
            Revoke key
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
