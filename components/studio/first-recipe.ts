interface Begin {
  address?: string | undefined;
  upload?: string | undefined;
  package?: string | undefined;
  file?: string | undefined;
}

function sourceLines({ address = "https://example.org/data.csv", upload, package: name, file }: Begin): string {
  if (upload !== undefined) return `kind: upload\n    upload: ${JSON.stringify(upload)}`;
  if (name === undefined) return `kind: http\n    url: ${JSON.stringify(address)}`;
  const path = JSON.stringify(file ?? "data.json");
  return `kind: package\n    registry: npm\n    package: ${JSON.stringify(name)}\n    path: ${path}`;
}

/** The initial recipe of a new dataset: every required part, to be edited. */
export const firstRecipe = (begin: Begin): string =>
  `schema_version: service-recipe.v1
sources:
  - name: source
    ${sourceLines(begin)}
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
