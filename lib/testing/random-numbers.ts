import fc from "fast-check";

/** A plain number: up to 9 digits before the point, up to 4 after it. */
export const randomNumber: fc.Arbitrary<string> = fc
  .tuple(
    fc.boolean(),
    fc.integer({ min: 0, max: 999_999_999 }),
    fc.integer({ min: 0, max: 3 }),
    fc.stringMatching(/^\d{4}$/),
  )
  .map(([isNegative, whole, size, digits]) => {
    const fraction = digits.slice(0, [0, 2, 3, 4][size]);
    const number = `${size % 2 === 0 ? whole % 2000 : whole}${fraction === "" ? "" : `.${fraction}`}`;
    return isNegative && /[1-9]/.test(number) ? `-${number}` : number;
  });

/** How a country or a program writes numbers. */
export interface Notation {
  decimal: "." | ",";
  thousands: string;
  isIndian?: true;
  negative?: (digits: string) => string;
  around?: (number: string) => string;
}

export const NOTATIONS: readonly Notation[] = [
  { decimal: ".", thousands: "," },
  { decimal: ",", thousands: "." },
  { decimal: ",", thousands: "" },
  { decimal: ",", thousands: "\u00a0" },
  { decimal: ",", thousands: "\u202f" },
  { decimal: ",", thousands: " " },
  { decimal: ".", thousands: "'" },
  { decimal: ".", thousands: "\u2019" },
  { decimal: ".", thousands: ",", isIndian: true },
  { decimal: ".", thousands: ",", negative: (digits) => `(${digits})` },
  { decimal: ",", thousands: ".", negative: (digits) => `${digits}-` },
  { decimal: ",", thousands: " ", negative: (digits) => `\u2212${digits}` },
  { decimal: ".", thousands: ",", around: (number) => `$${number}` },
  { decimal: ",", thousands: ".", around: (number) => `${number} €` },
  { decimal: ",", thousands: ".", around: (number) => `${number}\u00a0EUR` },
  { decimal: ".", thousands: ",", around: (number) => `${number}%` },
  { decimal: ",", thousands: ".", around: (number) => ` ${number}` },
];

/** The number as its notation writes it. */
export function written(number: string, { decimal, thousands, isIndian, negative, around }: Notation): string {
  const [whole = "", fraction] = number.replace("-", "").split(".");
  const groups = isIndian ? /\B(?=(?:\d\d)*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
  const digits = whole.replace(groups, thousands) + (fraction === undefined ? "" : decimal + fraction);
  const signed = number.startsWith("-") ? (negative?.(digits) ?? `-${digits}`) : digits;
  return around?.(signed) ?? signed;
}
