import type { ReactNode } from "react";
import { TabAddress } from "./tab-address";

export interface Tab {
  id: string;
  title: string;
  panel: ReactNode;
}

interface Props {
  /** Unique on the page. */
  name: string;
  label: string;
  tabs: readonly Tab[];
  /** The id of the initially open tab; the first tab if there is none with this id. */
  chosen?: string | undefined;
  /** The URL parameter that names the open tab, so that it survives reload, sharing and Back. */
  parameter?: string;
}

/** Tabs that work without JavaScript: a group of radio buttons. */
export function Tabs({ name, label, tabs, chosen, parameter }: Props) {
  const open = tabs.some(({ id }) => id === chosen) ? chosen : tabs[0]?.id;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="tabs">
        {tabs.map((tab) => (
          <TabParts key={tab.id} tab={tab} name={name} isOpen={tab.id === open} />
        ))}
      </div>
      {parameter && <TabAddress parameter={parameter} />}
    </fieldset>
  );
}

function TabParts({ tab, name, isOpen }: { tab: Tab; name: string; isOpen: boolean }) {
  const id = `${name}-${tab.id}`;
  return (
    <>
      <input type="radio" name={name} id={id} value={tab.id} defaultChecked={isOpen} className="sr-only" />
      <label htmlFor={id}>{tab.title}</label>
      <div className="panel">{tab.panel}</div>
    </>
  );
}
