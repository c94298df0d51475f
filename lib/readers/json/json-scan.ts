import { mismatch } from "@/lib/readers/failure";
import {
  BLANKS,
  CLOSE,
  CLOSE_LIST,
  COLON,
  COMMA,
  ESCAPE,
  endsScalar,
  type Frame,
  frameOf,
  isClosing,
  isOpening,
  LINE_FEED,
  NEXT,
  OPEN,
  OPEN_LIST,
  QUOTE,
  SPACE,
  unexpectedText,
} from "./json-grammar";
import { countLines, JsonFault, readValue, shownStart } from "./json-members";

/**
 * What is wanted: the items of an array, the members of an object, or the value itself, at the pointer; or every value
 * of several, one after another.
 */
export type Wanted = "items" | "members" | "whole" | "sequence";

/** Takes one value's text; `key` is the member's name, or null for items. `row` is its number for people. */
export type TakeValue = (raw: string, key: string | null, row: number) => void;

const DEPTH_MAX = 512;
const VALUE_CHARACTERS_MAX = 64 * 1024 * 1024;
const HEAD_CHARACTERS = 300;
const TEXT_FAULT =
  "not valid JSON: a string contains a line break or another control character, or its closing quote is missing.";

/**
 * Finds values below a JSON Pointer in chunked text, with no more memory than the largest value. Around them, the
 * grammar is checked; the values found are still to be parsed.
 */
export class JsonScan {
  /** Values found so far. */
  found = 0;
  isAtTarget = false;
  /** Whether the root is an object with a member called error. */
  hasErrorMember = false;
  head = "";
  private readonly frames: Frame[] = [frameOf("root", 0, false)];
  private readonly tokens: readonly string[];
  private readonly wanted: Wanted;
  private readonly take: TakeValue;
  private line = 1;
  /** The line in which the value that is being read begins. */
  private startLine = 1;
  private mode: "between" | "value" | "key" | "string" | "scalar" = "between";
  /** The text so far of the value or key that is being read. */
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

  push(text: string): void {
    if (this.head.length < HEAD_CHARACTERS)
      this.head = shownStart(this.head + text.slice(0, HEAD_CHARACTERS), HEAD_CHARACTERS);
    let at = 0;
    while (at < text.length) at = this.mode === "between" ? this.between(text, at) : this.within(text, at, at);
  }

  end(): void {
    if (this.mode === "scalar" && this.frames.length === 1) this.finish("");
    const isOpen = this.mode !== "between" || this.frames.length > 1;
    if (isOpen && this.wanted === "sequence")
      throw this.fault("the JSON that starts here is never closed: the file is cut off, or a bracket is missing.");
    if (isOpen)
      throw mismatch(
        `The JSON is truncated: a value is never closed${this.isAtTarget ? `, at record ${this.found + 1}` : ""}.`,
        this.isAtTarget ? this.found + 1 : undefined,
      );
    if (this.wanted !== "sequence" && this.frame.next === NEXT.value)
      throw mismatch("The source is empty. Expected JSON.");
  }

  private get frame(): Frame {
    return this.frames.at(-1) as Frame;
  }

  private between(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (BLANKS.has(code)) {
      if (code === LINE_FEED) this.line += 1;
      return at + 1;
    }
    const { frame } = this;
    if (code === COMMA && (frame.next & NEXT.comma) > 0) {
      frame.index += 1;
      frame.next = frame.kind === "object" ? NEXT.key : NEXT.value;
    } else if (code === COLON && frame.next === NEXT.colon) frame.next = NEXT.value;
    else if (code === (frame.kind === "object" ? CLOSE : CLOSE_LIST) && (frame.next & NEXT.end) > 0) this.close();
    else return this.begin(text, at, code);
    return at + 1;
  }

  private close(): void {
    this.frames.pop();
    this.ended();
  }

  /** A value has ended, in the frame that is open now. */
  private ended(): void {
    const { frame } = this;
    if (frame.kind !== "root") frame.next = NEXT.comma | NEXT.end;
    else frame.next = this.wanted === "sequence" ? NEXT.value : 0;
  }

  /** Starts a value or a member's name. */
  private begin(text: string, at: number, code: number): number {
    const { frame } = this;
    this.startLine = this.line;
    if ((frame.next & NEXT.key) > 0 && code === QUOTE) return this.start("key", text, at);
    if ((frame.next & NEXT.value) === 0 || isClosing(code) || code === COMMA || code === COLON)
      throw this.fault(unexpectedText(String.fromCodePoint(text.codePointAt(at) ?? 0), frame));
    const isWanted = frame.isTarget || this.wanted === "sequence";
    if (isWanted) return this.start(isOpening(code) || code === QUOTE ? "value" : "scalar", text, at);
    const matched = this.matchOf(frame);
    if (matched === this.tokens.length) return this.atTarget(text, at, code, matched);
    if (isOpening(code)) return this.enter(at, code, matched, false);
    return this.start(code === QUOTE ? "string" : "scalar", text, at);
  }

  /** How many tokens lead to the value that begins in the frame; -1 off the path. */
  private matchOf(frame: Frame): number {
    if (frame.kind === "root") return 0;
    const token = frame.kind === "object" ? frame.key : String(frame.index);
    if (frame.matched < 0 || this.tokens[frame.matched] !== token) return -1;
    if (frame.hasMatch)
      throw mismatch(
        `Line ${this.line}: duplicate key ${JSON.stringify(token)} on the way to the records, so either of the two ` +
          "may have them. Rename or remove one of them.",
      );
    frame.hasMatch = true;
    return frame.matched + 1;
  }

  private atTarget(text: string, at: number, code: number, matched: number): number {
    this.isAtTarget = true;
    if (this.wanted === "whole") return this.start(isOpening(code) || code === QUOTE ? "value" : "scalar", text, at);
    if (code === (this.wanted === "items" ? OPEN_LIST : OPEN)) return this.enter(at, code, matched, true);
    this.isAtTarget = false;
    if (isOpening(code)) return this.enter(at, code, -1, false);
    return this.start(code === QUOTE ? "string" : "scalar", text, at);
  }

  private enter(at: number, code: number, matched: number, isTarget: boolean): number {
    if (this.frames.length > DEPTH_MAX) throw mismatch(`Line ${this.line}: nested more than ${DEPTH_MAX} levels deep.`);
    this.frames.push(frameOf(code === OPEN ? "object" : "array", matched, isTarget));
    return at + 1;
  }

  private start(mode: "value" | "key" | "string" | "scalar", text: string, at: number): number {
    const code = text.charCodeAt(at);
    this.mode = mode;
    this.depth = isOpening(code) ? 1 : 0;
    this.inText = code === QUOTE;
    this.isEscaped = false;
    this.parts = [];
    this.length = 0;
    return this.within(text, at, at + 1);
  }

  /** Reads on within a value whose text in this chunk starts at `start`. */
  private within(text: string, start: number, from: number): number {
    const end = this.mode === "scalar" ? endOfScalar(text, from) : this.endOfValue(text, from);
    const part = text.slice(start, end < 0 ? text.length : end);
    if (end >= 0) this.finish(part);
    else if (this.mode !== "string") this.append(part);
    return end < 0 ? text.length : end;
  }

  private append(part: string): void {
    this.parts.push(part);
    this.length += part.length;
    if (this.length > VALUE_CHARACTERS_MAX) throw this.fault("larger than 64 MiB.");
  }

  /** The position after the value's end; negative if this text does not contain it. */
  private endOfValue(text: string, from: number): number {
    let at = this.inText ? this.endOfText(text, from) : from;
    if (this.depth === 0) return at;
    while (at >= 0 && at < text.length) {
      const code = text.charCodeAt(at);
      at += 1;
      if (code === QUOTE) at = this.endOfText(text, at);
      else if (isOpening(code)) this.deeper();
      else if (isClosing(code)) {
        this.depth -= 1;
        if (this.depth === 0) return at;
      }
    }
    return -1;
  }

  /** The position after the string's closing quote; negative if this text does not contain it. */
  private endOfText(text: string, from: number): number {
    let at = this.isEscaped ? from + 1 : from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === ESCAPE) at += 1;
      else if (code < SPACE) throw this.fault(TEXT_FAULT);
      else if (code === QUOTE) {
        this.inText = false;
        this.isEscaped = false;
        return at + 1;
      }
    }
    this.inText = true;
    this.isEscaped = at > text.length;
    return -1;
  }

  private deeper(): void {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) throw this.fault(`nested more than ${DEPTH_MAX} levels deep.`);
  }

  private finish(last: string): void {
    const { mode, frame, wanted } = this;
    const raw = this.parts.length > 0 ? this.parts.join("") + last : last;
    this.parts = [];
    this.mode = "between";
    if (mode === "key") {
      this.named(raw);
      return;
    }
    const isTaken = frame.isTarget || wanted === "sequence" || (wanted === "whole" && this.isAtWhole(frame));
    if (isTaken) this.taken(raw, frame);
    else if (mode === "scalar") this.checked(() => readValue(raw));
    if (mode === "value") this.line += countLines(raw);
    this.ended();
  }

  /** Whether the value that ended in the frame is the one at the pointer. */
  private isAtWhole({ kind, matched, hasMatch }: Frame): boolean {
    return this.isAtTarget && this.found === 0 && (kind === "root" || (hasMatch && matched === this.tokens.length - 1));
  }

  private named(raw: string): void {
    const { frame } = this;
    frame.key = this.checked(() => readValue(raw).text);
    frame.next = NEXT.colon;
    if (this.frames.length === 2 && /^errors?$/.test(frame.key)) this.hasErrorMember = true;
  }

  private taken(raw: string, frame: Frame): void {
    const row = this.row();
    this.checked(() => this.take(raw, frame.kind === "object" ? frame.key : null, row));
    this.found += 1;
  }

  private row(): number {
    return this.wanted === "sequence" ? this.startLine : this.found + 1;
  }

  private checked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof JsonFault ? this.fault(error.message) : error;
    }
  }

  /** A failure with the place of the value that is being read. */
  private fault(message: string): Error {
    if (this.wanted === "sequence") return mismatch(`Line ${this.startLine}: ${message}`, this.startLine);
    if (this.isAtTarget && this.frame.isTarget)
      return mismatch(`Record ${this.row()} (line ${this.startLine}): ${message}`, this.row());
    return mismatch(`Line ${this.startLine}: ${message}`);
  }
}

function endOfScalar(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (endsScalar(text.charCodeAt(at))) return at;
  return -1;
}
