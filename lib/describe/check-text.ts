/** One row of the examples of a failed check: `gauge "B", level "-2"`. */
export const exampleText = (cells: Readonly<Record<string, string | null>>): string =>
  Object.entries(cells)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
