import type { ReactNode } from "react";

export interface Tab {
  id: string;
  title: string;
  panel: ReactNode;
}

/** Tabs that work without script: a group of radio buttons. `name` is unique on the page. */
export function Tabs({ name, label, tabs }: { name: string; label: string; tabs: readonly Tab[] }) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="tabs">
        {tabs.map((tab, at) => (
          <TabParts key={tab.id} tab={tab} name={name} first={at === 0} />
        ))}
      </div>
    </fieldset>
  );
}

function TabParts({ tab, name, first }: { tab: Tab; name: string; first: boolean }) {
  const id = `${name}-${tab.id}`;
  return (
    <>
      <input type="radio" name={name} id={id} defaultChecked={first} className="sr-only" />
      <label htmlFor={id}>{tab.title}</label>
      <div className="panel">{tab.panel}</div>
    </>
  );
}
