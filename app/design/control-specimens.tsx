import { Button, LinkButton } from "@/components/ui/button";
import { CopiedId } from "@/components/ui/copied-id";
import { Kbd } from "@/components/ui/kbd";
import { Pagination } from "@/components/ui/pagination";
import { Tabs } from "@/components/ui/tabs";
import { FieldSpecimens } from "./field-specimens";
import { OverlaySpecimens } from "./overlay-specimens";
import { type ShownTheme, Specimen } from "./specimen";

/** What is pressed, typed into and chosen from. */
export function ControlSpecimens({ theme }: { theme: ShownTheme }) {
  return (
    <>
      <Specimen title="Buttons">
        <div className="flex flex-wrap items-center gap-3">
          <Button look="primary">Create key</Button>
          <Button>Cancel</Button>
          <Button look="danger">Revoke key</Button>
          <Button look="quiet">Hide</Button>
          <Button small>Refresh</Button>
          <Button look="primary" pending>
            Saving
          </Button>
          <LinkButton href="/datasets">Browse datasets</LinkButton>
        </div>
        <div className="mt-5">
          <Pagination label={`Pages of an example, ${theme}`} first="/datasets" next="/datasets" />
        </div>
      </Specimen>
      <Specimen title="Fields">
        <FieldSpecimens />
      </Specimen>
      <Specimen title="Tabs, links, small things">
        <Tabs
          name={`design-tabs-${theme}`}
          label={`An example of tabs, ${theme}`}
          tabs={[
            { id: "curl", title: "curl", panel: <p className="text-sm">What the first tab holds.</p> },
            { id: "python", title: "Python", panel: <p className="text-sm">What the second tab holds.</p> },
          ]}
        />
        <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
          <a href="/docs" className="link">
            Connecting an agent
          </a>
          <a href="/datasets?topic=weather" className="chip">
            weather
          </a>
          <span>
            <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
          </span>
          <CopiedId text="01a2b3c4-5d6e-4f70-8a9b-0c1d2e3f4a5b" label="version id" />
        </p>
      </Specimen>
      <Specimen title="Dialogs, toasts, menus">
        <OverlaySpecimens />
      </Specimen>
    </>
  );
}
