import { z } from "zod";
import { type AnyOperation, type InputSchemas, schemasOf } from "./operation";

type Values = Readonly<Record<string, unknown>>;

/** The member of the path that a caller acting for one workspace does not give. */
export const WORKSPACE = "workspace_id";

/**
 * The members of path, query and body as one object, for callers who send flat arguments. Throws, when the service
 * starts, if they cannot be one.
 */
export function flatInput(operation: AnyOperation): z.ZodObject {
  const { path, query, body = z.strictObject({}) } = schemasOf(operation);
  const schemas = [path, query, body].map((schema) => objectOf(operation, schema));
  const used = schemas.filter(({ shape }) => Object.keys(shape).some((name) => name !== WORKSPACE));
  const [only] = used;
  if (only && used.length === 1 && !(WORKSPACE in only.shape)) return only;
  if (used.some(isRefined)) throw new Error(`${operation.name}: a part of its input has its own rules; give input`);
  const names = used.flatMap(({ shape }) => Object.keys(shape));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated) throw new Error(`${operation.name}: ${repeated} is in two parts of its input; give input and given`);
  const { [WORKSPACE]: _, ...shape } = Object.assign({}, ...used.map((schema) => schema.shape));
  return z.strictObject(shape);
}

/** Rules over several members, which a schema made from the members alone would lose. */
const isRefined = (schema: z.ZodObject): boolean => (schema.def.checks ?? []).length > 0;

function objectOf({ name }: AnyOperation, schema: z.ZodType): z.ZodObject {
  if (!(schema instanceof z.ZodObject)) throw new Error(`${name}: its input is not an object; give input and given`);
  return schema;
}

/** Converts flat arguments to the operation's input: each goes into the part that names it; the rest into the body. */
export function toInput({ input }: AnyOperation, args: Values): { path: Values; query: Values; body?: Values } {
  const { path, query, body, rawBody }: InputSchemas = input;
  const [inPath, inQuery] = [keysOf(path), keysOf(query)];
  const pick = (wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => wanted(name)));
  return {
    path: pick((name) => inPath.has(name)),
    query: pick((name) => inQuery.has(name)),
    ...((body ?? rawBody) && { body: pick((name) => !inPath.has(name) && !inQuery.has(name)) }),
  };
}

/** Whether the operation's path names a workspace. */
export const namesWorkspace = ({ input }: AnyOperation): boolean => keysOf((input as InputSchemas).path).has(WORKSPACE);

const keysOf = (schema: z.ZodType | undefined): ReadonlySet<string> =>
  new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
