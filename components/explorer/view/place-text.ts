/** The longest text that is read as a place. */
const PLACE_MAX = 100;

/** The parts of a degree by their signs; a number without a sign is in degrees. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  "°": 1,
  º: 1,
  "'": 60,
  "′": 60,
  "’": 60,
  '"': 3600,
  "″": 3600,
  "”": 3600,
};
const TOKEN = /([+-]?\d+(?:\.\d+)?) ?([°º'′’"″”]?)|([NSEW])|[\s,;]/giy;

interface Coordinate {
  /** Its smallest unit so far. */
  unit: number;
  degrees: string;
  side?: string;
}

/**
 * The latitude and longitude that a text says, as digits: `40.7128, -74.006`, `40.7128 N 74.006 W`, `40°42′46″N
 * 74°0′22″W`, in either order if it names the sides. Undefined if it says something else; degrees are not checked for
 * their range.
 */
export function placeOf(text: string): [latitude: string, longitude: string] | undefined {
  const read = text.length > PLACE_MAX ? [] : coordinatesIn(text.trim().replaceAll("−", "-"));
  const [first, second] = read;
  if (!first || !second || read.length > 2) return undefined;
  if (first.side === undefined && second.side === undefined) return [first.degrees, second.degrees];
  const [latitude, longitude] = isLatitude(first) ? [first, second] : [second, first];
  if (!isLatitude(latitude) || longitude.side === undefined || isLatitude(longitude)) return undefined;
  const places = [latitude, longitude];
  return places.some(({ degrees }) => degrees.startsWith("-")) ? undefined : [signed(latitude), signed(longitude)];
}

const isLatitude = ({ side }: Coordinate): boolean => side === "N" || side === "S";
const signed = ({ degrees, side }: Coordinate): string => (side === "S" || side === "W" ? `-${degrees}` : degrees);

/** Nothing if the text has anything else. */
function coordinatesIn(text: string): Coordinate[] {
  const tokens = [...text.matchAll(TOKEN)];
  const length = tokens.reduce((sum, [token]) => sum + token.length, 0);
  const parts = tokens.filter(([, number, , letter]) => number !== undefined || letter !== undefined);
  const sided = parts[0]?.[3] === undefined ? parts : sidesLast(parts);
  const found: Coordinate[] = [];
  const areRead = sided.every(([, number = "", sign = "", letter]) =>
    letter === undefined ? addNumber(found, number, UNITS[sign] ?? 1) : addSide(found.at(-1), letter.toUpperCase()),
  );
  return areRead && length === text.length ? found : [];
}

/** `N 40 W 74` as `40 N 74 W`. */
function sidesLast(parts: readonly RegExpExecArray[]): RegExpExecArray[] {
  const starts = parts.flatMap(([, , , letter], at) => (letter === undefined ? [] : [at]));
  return starts.flatMap((start, at) => {
    const [side, ...rest] = parts.slice(start, starts[at + 1]);
    return side ? [...rest, side] : rest;
  });
}

function addSide(to: Coordinate | undefined, side: string): boolean {
  if (!to || to.side !== undefined) return false;
  to.side = side;
  return true;
}

function addNumber(found: Coordinate[], number: string, unit: number): boolean {
  const last = found.at(-1);
  if (unit > 1) return last !== undefined && last.side === undefined && addPart(last, number, unit);
  found.push({ unit, degrees: number.replace("+", "") });
  return true;
}

/** Adds minutes or seconds, away from zero, to a tenth of a metre. False if they cannot follow. */
function addPart(to: Coordinate, number: string, unit: number): boolean {
  if (unit <= to.unit || !/^\d/.test(number) || Number(number) >= 60) return false;
  const sign = to.degrees.startsWith("-") ? "-" : "";
  to.degrees = `${sign}${Number((Math.abs(Number(to.degrees)) + Number(number) / unit).toFixed(6))}`;
  to.unit = unit;
  return true;
}
