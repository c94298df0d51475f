/** The state of the directory, all of it in the address. */
export interface DirectoryState {
  q?: string | undefined;
  topic?: string | undefined;
  publisher?: string | undefined;
  license?: string | undefined;
  sort?: string | undefined;
  cursor?: string | undefined;
}

/** Longer values name nothing, except cursors. */
const VALUE_MAX = 200;
const CURSOR_MAX = 2000;
const NAMES = ["q", "topic", "publisher", "license", "sort", "cursor"] as const;

/** The directory's address in this state; what is absent or empty is left out. */
export function directoryUrl(state: DirectoryState): string {
  const params = new URLSearchParams(NAMES.flatMap((name) => (state[name] ? [[name, state[name]]] : [])));
  const text = params.toString();
  return text ? `/datasets?${text}` : "/datasets";
}

/** Reads the state from an address; a parameter given twice counts once, unknown ones are ignored, control characters are dropped. */
export function readDirectoryState(params: Readonly<Record<string, string | string[] | undefined>>): DirectoryState {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params[name];
      const text = (Array.isArray(value) ? value[0] : value)?.replaceAll(/\p{Cc}/gu, "").trim();
      return text ? [[name, text.slice(0, name === "cursor" ? CURSOR_MAX : VALUE_MAX)]] : [];
    }),
  );
}
