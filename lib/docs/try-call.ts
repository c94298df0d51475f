/** A field of the try-it form: a path or query parameter. */
export interface TryField {
  name: string;
  place: "path" | "query";
  /** Its initial value. */
  value: string;
  hint: string;
  /** The values to choose from, for closed lists. */
  options?: readonly string[];
}

/** A call that the docs can make: an open operation, sent without credentials. */
export interface TryCall {
  method: string;
  /** With `{name}` for the path's fields. */
  path: string;
  fields: readonly TryField[];
  /** The body's initial value, if there is one. */
  body?: string;
}

/** The URL of a call with its fields filled in; empty query fields are left out. Pure. */
export function tryAddress(
  { path, fields }: Pick<TryCall, "path" | "fields">,
  values: Readonly<Record<string, string>>,
): string {
  const filled = (name: string) => (values[name] ?? "").trim();
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(filled(name)));
  const query = new URLSearchParams(
    fields.flatMap(({ name, place }) => (place === "query" && filled(name) !== "" ? [[name, filled(name)]] : [])),
  );
  return query.size > 0 ? `${address}?${query}` : address;
}
