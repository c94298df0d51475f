/** The state of the directory, all of it in the address. */
export interface DirectoryState {
  q?: string | undefined;
  topic?: string | undefined;
  publisher?: string | undefined;
  license?: string | undefined;
  sort?: string | undefined;
  cursor?: string | undefined;
}

const NAMES = ["q", "topic", "publisher", "license", "sort", "cursor"] as const;

/** The directory's address in this state; what is absent or empty is left out. */
export function directoryUrl(state: DirectoryState): string {
  const params = new URLSearchParams(NAMES.flatMap((name) => (state[name] ? [[name, state[name]]] : [])));
  const text = params.toString();
  return text ? `/datasets?${text}` : "/datasets";
}

/** Reads the state from an address; a parameter given twice counts once, unknown ones are ignored. */
export function readDirectoryState(params: Readonly<Record<string, string | string[] | undefined>>): DirectoryState {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params[name];
      const text = (Array.isArray(value) ? value[0] : value)?.trim();
      return text ? [[name, text]] : [];
    }),
  );
}
