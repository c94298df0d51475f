import { mismatch } from "@/lib/readers/failure";

/** What is wanted at the pointer: the items of an array, the members of an object, or the value itself. */
export type Wanted = "items" | "members" | "whole";

/** Takes one value's text; `key` is the member's name, or null for items. False ends reading. */
export type TakeValue = (raw: string, key: string | null) => boolean;

const DEPTH_MAX = 512;
const VALUE_CHARACTERS_MAX = 64 * 1024 * 1024;
const HEAD_CHARACTERS = 300;
const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

interface Frame {
  isObject: boolean;
  index: number;
  key: string | null;
  /** An object's string is a member's name until its colon. */
  awaitsKey: boolean;
  /** Whether this is on the pointer's path. */
  isOnPath: boolean;
  isTarget: boolean;
}

/**
 * Finds values below a JSON Pointer in chunked text, with no more memory than the largest value. Only strings and depth
 * are tracked; the values found are still to be parsed.
 */
export class JsonScan {
  /** Values found so far. */
  found = 0;
  isAtTarget = false;
  /** Whether the root is an object with a member called error. */
  hasErrorMember = false;
  head = "";
  private readonly frames: Frame[] = [];
  private readonly tokens: readonly string[];
  private readonly wanted: Wanted;
  private readonly take: TakeValue;
  private isOver = false;
  private hasRoot = false;
  /** The text so far of the value, key or skipped string that is being read. */
  private mode: "between" | "value" | "key" | "string" | "scalar" = "between";
  private parts: string[] = [];
  private length = 0;
  private depth = 0;
  private inText = false;
  private isEscaped = false;

  constructor(tokens: readonly string[], wanted: Wanted, take: TakeValue) {
    this.tokens = tokens;
    this.wanted = wanted;
    this.take = take;
  }

  push(text: string): boolean {
    if (this.head.length < HEAD_CHARACTERS)
      this.head = (this.head + text.slice(0, HEAD_CHARACTERS)).slice(0, HEAD_CHARACTERS);
    let at = 0;
    while (at < text.length && !this.isOver)
      at = this.mode === "between" ? this.between(text, at) : this.within(text, at);
    return !this.isOver;
  }

  end(): void {
    if (this.isOver) return;
    if (this.mode === "scalar" && this.frames.length === 0) this.finish();
    if (this.mode !== "between" || this.frames.length > 0)
      throw mismatch(
        `The JSON is truncated: a value is never closed${this.isAtTarget ? `, at record ${this.found + 1}` : ""}.`,
        this.isAtTarget ? this.found + 1 : undefined,
      );
    if (!this.hasRoot) throw mismatch("The source is empty. Expected JSON.");
  }

  private get frame(): Frame | undefined {
    return this.frames.at(-1);
  }

  private between(text: string, at: number): number {
    const code = text.charCodeAt(at);
    const { frame } = this;
    if (code <= 0x20) return at + 1;
    if (code === CLOSE || code === CLOSE_LIST) this.close(code);
    else if (code === COMMA && frame) {
      frame.index += 1;
      frame.key = null;
      frame.awaitsKey = frame.isObject;
    } else if (code === COLON && frame?.isObject && frame.key !== null) frame.awaitsKey = false;
    else return this.begin(text, at, code);
    return at + 1;
  }

  private close(code: number): void {
    const frame = this.frames.pop();
    if (!frame || frame.isObject !== (code === CLOSE)) throw this.broken(String.fromCharCode(code));
  }

  private broken(sign: string): Error {
    return mismatch(
      `Not valid JSON: unexpected ${JSON.stringify(sign)}. The document begins: ${this.head.slice(0, 100)}`,
    );
  }

  /** Starts a value or a member's name. */
  private begin(text: string, at: number, code: number): number {
    const { frame } = this;
    if (!frame && this.hasRoot) throw this.broken(text[at] ?? "");
    this.hasRoot = true;
    if (frame?.awaitsKey) {
      if (code !== QUOTE) throw this.broken(text[at] ?? "");
      return this.start("key", at, code);
    }
    if (frame?.isTarget) return this.start("value", at, code);
    const isOnPath = !frame || (frame.isOnPath && this.tokens[this.frames.length - 1] === this.token(frame));
    if (isOnPath && this.frames.length === this.tokens.length) return this.atTarget(at, code);
    if (code === OPEN || code === OPEN_LIST) return this.enter(at, code, { isOnPath, isTarget: false });
    return this.start(code === QUOTE ? "string" : "scalar", at, code);
  }

  private token(frame: Frame): string | null {
    return frame.isObject ? frame.key : String(frame.index);
  }

  private atTarget(at: number, code: number): number {
    const expected = this.wanted === "items" ? OPEN_LIST : OPEN;
    if (this.wanted === "whole") {
      this.isAtTarget = true;
      return this.start("value", at, code);
    }
    if (code === expected) {
      this.isAtTarget = true;
      return this.enter(at, code, { isOnPath: false, isTarget: true });
    }
    if (code === OPEN || code === OPEN_LIST) return this.enter(at, code, { isOnPath: false, isTarget: false });
    return this.start(code === QUOTE ? "string" : "scalar", at, code);
  }

  private enter(at: number, code: number, { isOnPath, isTarget }: Pick<Frame, "isOnPath" | "isTarget">): number {
    if (this.frames.length >= DEPTH_MAX) throw mismatch(`The JSON is nested more than ${DEPTH_MAX} levels deep.`);
    const isObject = code === OPEN;
    this.frames.push({ isObject, index: 0, key: null, awaitsKey: isObject, isOnPath, isTarget });
    return at + 1;
  }

  private start(mode: "value" | "key" | "string" | "scalar", at: number, code: number): number {
    this.mode = mode;
    this.depth = code === OPEN || code === OPEN_LIST ? 1 : 0;
    this.inText = code === QUOTE;
    this.isEscaped = false;
    this.parts = [];
    this.length = 0;
    if (mode === "value" && !this.inText && this.depth === 0) this.mode = "scalar";
    this.parts.push(String.fromCharCode(code));
    return at + 1;
  }

  private within(text: string, at: number): number {
    const end = this.mode === "scalar" ? endOfScalar(text, at) : this.endOfValue(text, at);
    const isDone = end >= 0;
    if (this.mode !== "string") this.keep(text.slice(at, isDone ? end : undefined));
    if (!isDone) return text.length;
    this.finish();
    return end;
  }

  private keep(part: string): void {
    this.parts.push(part);
    this.length += part.length;
    if (this.length > VALUE_CHARACTERS_MAX)
      throw mismatch(`Record ${this.found + 1} is larger than 64 MiB.`, this.found + 1);
  }

  /** The position after the value's end; negative if this text does not contain it. */
  private endOfValue(text: string, from: number): number {
    const start = this.isEscaped ? from + 1 : from;
    this.isEscaped = false;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === ESCAPE && this.inText) {
        this.isEscaped = at + 1 >= text.length;
        at += 1;
      } else if (this.inText ? code === QUOTE && this.endsText() : this.endsValue(code)) return at + 1;
    }
    return -1;
  }

  /** A quote ends a string, and also the value if nothing surrounds it. */
  private endsText(): boolean {
    this.inText = false;
    return this.depth === 0;
  }

  private endsValue(code: number): boolean {
    if (code === QUOTE) this.inText = true;
    else if (code === OPEN || code === OPEN_LIST) this.deeper();
    else if (code === CLOSE || code === CLOSE_LIST) {
      this.depth -= 1;
      return this.depth === 0;
    }
    return false;
  }

  private deeper(): void {
    this.depth += 1;
    if (this.depth > DEPTH_MAX)
      throw mismatch(`Record ${this.found + 1} is nested more than ${DEPTH_MAX} levels deep.`, this.found + 1);
  }

  private finish(): void {
    const { mode, frame } = this;
    const raw = mode === "string" ? "" : this.parts.join("");
    this.parts = [];
    this.mode = "between";
    if (mode === "key" && frame) {
      frame.key = parseKey(raw);
      if (this.frames.length === 1 && /^errors?$/.test(frame.key)) this.hasErrorMember = true;
      return;
    }
    const isWanted = this.isAtTarget && (frame?.isTarget || this.wanted === "whole") && this.isValue(mode, frame);
    if (!isWanted) return;
    this.found += 1;
    if (!this.take(raw, frame?.isTarget ? frame.key : null)) this.isOver = true;
  }

  private isValue(mode: string, frame: Frame | undefined): boolean {
    return (
      frame?.isTarget === true || mode === "value" || (mode === "scalar" && this.wanted === "whole" && this.found === 0)
    );
  }
}

function endOfScalar(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === COMMA || code === CLOSE || code === CLOSE_LIST) return at;
  }
  return -1;
}

function parseKey(raw: string): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    throw mismatch(`Not valid JSON: the member name ${raw.slice(0, 80)}.`);
  }
}
