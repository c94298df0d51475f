import { columnTypeOf, functionsFor, operatorsFor } from "@/lib/engine/types/column-types";
import { parseExactJson } from "@/lib/formats/exact-json";
import type { Column, Profile, StoredColumn } from "@/lib/schemas/column";

/**
 * A version's columns with their operators, functions and profiles.
 * `profilesJson` is the sealed JSON text; a number that a double cannot hold exactly remains a LosslessNumber, which
 * the reply writes digit for digit.
 */
export function presentColumns(columns: readonly StoredColumn[], profilesJson: string): Column[] {
  const profiles = new Map(Object.entries(parseExactJson(profilesJson) as Record<string, Profile>));
  const profileOf = (name: string): Profile => {
    const profile = profiles.get(name);
    if (!profile) throw new Error(`a version holds no profile of its column ${name}`);
    return profile;
  };
  return columns.map(({ name, type, nullable, description, unit }) => ({
    name,
    type,
    nullable,
    description,
    unit,
    json: columnTypeOf({ type }).json.kind,
    operators: operatorsFor(type),
    functions: functionsFor(type),
    profile: profileOf(name),
  }));
}
