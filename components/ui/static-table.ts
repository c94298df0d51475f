import { constructTable, type RowData, type Table, type TableOptions, tableFeatures } from "@tanstack/react-table";

type Reactivity = NonNullable<Parameters<typeof tableFeatures>[0]["coreReactivityFeature"]>;

const UNSUBSCRIBED = { unsubscribe: () => undefined };

/** Atoms that are read while the page is rendered and never change, because nothing subscribes on the server. */
const STILL = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: () => undefined,
  batch: (run: () => void) => run(),
  schedule: () => undefined,
  untrack: <T>(run: () => T) => run(),
  createReadonlyAtom: <T>(read: () => T) => ({ get: read, subscribe: () => UNSUBSCRIBED }),
  createWritableAtom: <T>(first: T) => ({ get: () => first, set: () => undefined, subscribe: () => UNSUBSCRIBED }),
} as unknown as Reactivity;

const FEATURES = tableFeatures({ coreReactivityFeature: STILL });

export type StaticFeatures = typeof FEATURES;

/** A table model for markup that is rendered once on the server and sends no JavaScript to the browser. */
export function staticTable<Data extends RowData>(
  options: Omit<TableOptions<StaticFeatures, Data>, "features">,
): Table<StaticFeatures, Data> {
  return constructTable({ ...options, features: FEATURES } as TableOptions<StaticFeatures, Data>);
}
