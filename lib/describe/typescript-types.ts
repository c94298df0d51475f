interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  description?: string;
}

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** TypeScript types of named JSON Schemas (2020-12), each with its description. Pure. */
export const typescriptTypes = (schemas: Readonly<Record<string, object>>): string =>
  Object.entries(schemas)
    .map(([name, schema]) => `${comment(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`)
    .join("\n");

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices, " | ", indent);
  if (schema.allOf) return joined(schema.allOf, " & ", indent);
  if (typeof schema.type === "object")
    return joined(
      schema.type.map((type) => ({ ...schema, type })),
      " | ",
      indent,
    );
  if (schema.type === "array") return `Array<${schema.items ? typeOf(schema.items, indent) : "unknown"}>`;
  if (schema.type === "object") return objectOf(schema, indent);
  return PLAIN[schema.type ?? ""] ?? "unknown";
}

const joined = (schemas: readonly JsonSchema[], sign: string, indent: string): string =>
  [...new Set(schemas.map((each) => typeOf(each, indent)))].map((type) => `(${type})`).join(sign);

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema, inner)}${inner}${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ` +
      `${typeOf(schema, inner)};\n`,
  );
  if (members.length > 0) return `{\n${members.join("")}${indent}}`;
  const others = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
  return `Record<string, ${others}>`;
}

const comment = ({ description }: JsonSchema, indent: string): string =>
  description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n`;
