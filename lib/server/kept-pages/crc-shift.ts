/** The polynomial of gzip's CRC-32 and its products, with the lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** The product of two polynomials modulo the CRC's. */
export function times(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/** The factor for a CRC that is followed by this many bytes: x to the power of their bits. */
export function shiftBy(bytes: number): number {
  let power = 0x00800000; // x to the 8th: one byte
  let shift = ONE;
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = times(power, shift);
    power = times(power, power);
  }
  return shift;
}
