/**
 * A facet of many datasets encoded as numbers: its values, and which of them the dataset at each index has. Counting is
 * then a sum over arrays.
 */
export class CodedFacet {
  readonly values: string[] = [];
  readonly #codes = new Map<string, number>();
  /** The codes of all datasets one after another. Those of a dataset begin at its start. */
  readonly #of: Uint32Array;
  readonly #starts: Uint32Array;

  /** @param valuesOf a dataset's value, or several, without duplicates. */
  constructor(
    private readonly size: number,
    valuesOf: (index: number) => string | readonly string[],
  ) {
    const codes: number[] = [];
    this.#starts = new Uint32Array(size + 1);
    for (let index = 0; index < size; index += 1) {
      const values = valuesOf(index);
      if (typeof values === "string") codes.push(this.#codeOf(values));
      else for (const value of values) codes.push(this.#codeOf(value));
      this.#starts[index + 1] = codes.length;
    }
    this.#of = Uint32Array.from(codes);
  }

  #codeOf(value: string): number {
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    const code = this.values.push(value) - 1;
    this.#codes.set(value, code);
    return code;
  }

  /** For each index, 1 if the dataset has one of the values. */
  having(values: readonly string[]): Uint8Array {
    const wanted = new Uint8Array(this.values.length);
    for (const value of values) {
      const code = this.#codes.get(value);
      if (code !== undefined) wanted[code] = 1;
    }
    return Uint8Array.from({ length: this.size }, (_, index) => (this.#some(index, wanted) ? 1 : 0));
  }

  #some(index: number, wanted: Uint8Array): boolean {
    for (let at = this.#starts[index] as number; at < (this.#starts[index + 1] as number); at += 1)
      if (wanted[this.#of[at] as number] === 1) return true;
    return false;
  }

  /** Adds a dataset's values to the counts, by their position in `values`. */
  count(index: number, counts: Uint32Array): void {
    for (let at = this.#starts[index] as number; at < (this.#starts[index + 1] as number); at += 1) {
      const code = this.#of[at] as number;
      counts[code] = (counts[code] as number) + 1;
    }
  }
}
