/** UCUM codes that people write differently; other units are already readable. */
const SYMBOLS: Readonly<Record<string, string>> = {
  Cel: "°C",
  "[degF]": "°F",
  deg: "°",
  "'": "′",
  "''": "″",
  Ohm: "Ω",
  um: "µm",
  ug: "µg",
  us: "µs",
  uL: "µL",
  "ug/m3": "µg/m³",
  "mg/m3": "mg/m³",
  "kg/m3": "kg/m³",
  "m/s2": "m/s²",
  "W/m2": "W/m²",
  m2: "m²",
  km2: "km²",
  m3: "m³",
  "m3/s": "m³/s",
  "[in_i]": "in",
  "[ft_i]": "ft",
  "[mi_i]": "mi",
  "[nmi_i]": "nmi",
  "[kn_i]": "kn",
  "[lb_av]": "lb",
  "[ppm]": "ppm",
  "[ppb]": "ppb",
};

/** A column's unit as people write it: `Cel` → `°C`, `ug/m3` → `µg/m³`, `USD` → `USD`. */
export const unitText = (unit: string): string => (Object.hasOwn(SYMBOLS, unit) ? (SYMBOLS[unit] ?? unit) : unit);

/** A written value with its unit: `12 min`, `21.5 °C`, `45°`. */
export function withUnit(text: string, unit: string): string {
  const written = unitText(unit);
  return /^[°′″]$/.test(written) ? `${text}${written}` : `${text} ${written}`;
}
