const LENGTH_MIN = 12;

/**
 * Searches chunks of bytes for secrets: in plain form, percent-encoded, and in base64 at each of its three alignments.
 * It cannot see inside archives. Values shorter than 12 characters are not searched for.
 */
export class EchoGuard {
  private readonly needles: readonly Buffer[];
  private readonly kept: number;
  private tail: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    this.needles = secrets.filter((secret) => secret.length >= LENGTH_MIN).flatMap(spellings);
    this.kept = Math.max(0, ...this.needles.map((needle) => needle.length - 1));
  }

  /** Whether a secret ends in this chunk. */
  finds(chunk: Buffer): boolean {
    if (this.needles.length === 0) return false;
    const joined = this.tail.length > 0 ? Buffer.concat([this.tail, chunk]) : chunk;
    this.tail = Buffer.from(joined.subarray(Math.max(0, joined.length - this.kept)));
    return this.needles.some((needle) => joined.includes(needle));
  }
}

function spellings(secret: string): Buffer[] {
  const percent = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const texts = [secret, percent, percent.replace(/%../g, (byte) => byte.toLowerCase()), json, ...inBase64(secret)];
  return [...new Set(texts)].map((text) => Buffer.from(text));
}

/** The base64 digits that depend only on the secret: those at its ends share bits with the surrounding bytes. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
    const digits = whole.toString("base64").slice(offset === 0 ? 0 : 4);
    return [digits, digits.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
