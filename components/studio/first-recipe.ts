interface Begin {
  address?: string | undefined;
  upload?: string | undefined;
}

const sourceLines = (address: string, upload: string | undefined): string =>
  upload === undefined
    ? `kind: http\n    url: ${JSON.stringify(address)}`
    : `kind: upload\n    upload: ${JSON.stringify(upload)}`;

/** What the editor of a new dataset begins with: every part that a recipe needs, to be changed. */
export const firstRecipe = ({ address = "https://example.org/data.csv", upload }: Begin = {}): string =>
  `schema_version: service-recipe.v1
sources:
  - name: source
    ${sourceLines(address, upload)}
    reader: {format: csv}
tables:
  - name: data
    title: Data
    from: source
    steps:
      - {step: trim}
    columns:
      - {name: id, type: string, nullable: false}
    primary_key: [id]
    checks:
      - {check: row_count, min: 1}
publish:
  license: CC-BY-4.0
  publisher: {name: Name of the publisher}
`;
