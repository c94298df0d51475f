const FRAME_CHARACTERS_MAX = 64 * 1024;
/** Longer lists are left out: records, and not a description of the page. */
const LIST_CHARACTERS_MAX = 2 * 1024;
const SIGN = /[[\]"]/g;

/**
 * The document without its long lists: what stands beside and above its records. `{"total":2,"data":[…]}` →
 * `{"total":2,"data":[]}`. Reads the text in chunks, in linear time and little memory.
 */
export class JsonFrame {
  private parts: string[] = [];
  private length = 0;
  /** Where the open lists begin in the text kept so far. */
  private lists: number[] = [];
  /** How many lists are open below the one that is left out; 0 if none is. */
  private skipped = 0;
  private inText = false;
  private isEscaped = false;
  private isOver = false;
  private isWhole = false;

  /** Passes the chunks of the document on as they are. What an earlier reading of it left is forgotten. */
  async *watch(texts: AsyncIterable<string>): AsyncGenerator<string> {
    this.parts = [];
    this.lists = [];
    this.length = 0;
    this.skipped = 0;
    this.inText = false;
    this.isEscaped = false;
    this.isOver = false;
    this.isWhole = false;
    for await (const text of texts) {
      this.push(text);
      yield text;
    }
    this.isWhole = true;
  }

  /** The text of the frame; undefined if not all of the document was read, or if it is too long. */
  text(): string | undefined {
    return this.isWhole && !this.isOver ? this.parts.join("") : undefined;
  }

  private push(text: string): void {
    let at = 0;
    while (at < text.length && !this.isOver) at = this.inText ? this.within(text, at) : this.between(text, at);
  }

  /** Up to the next bracket of a list, or the next quote. */
  private between(text: string, from: number): number {
    SIGN.lastIndex = from;
    const at = SIGN.exec(text)?.index ?? text.length;
    const sign = text[at];
    if (sign === "]") {
      this.append(text.slice(from, at));
      this.close();
      this.append("]");
    } else {
      this.append(text.slice(from, at + 1));
      if (sign === "[") this.open();
      if (sign === '"') this.inText = true;
    }
    return at + 1;
  }

  private within(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at += 1) {
      if (this.isEscaped) this.isEscaped = false;
      else if (text[at] === "\\") this.isEscaped = true;
      else if (text[at] === '"') {
        this.inText = false;
        at += 1;
        break;
      }
    }
    this.append(text.slice(from, at));
    return at;
  }

  private open(): void {
    if (this.skipped > 0) this.skipped += 1;
    else this.lists.push(this.length);
  }

  private close(): void {
    if (this.skipped > 1) this.skipped -= 1;
    else {
      this.skipped = 0;
      this.lists.pop();
    }
  }

  private append(part: string): void {
    if (this.skipped > 0) return;
    this.parts.push(part);
    this.length += part.length;
    const list = this.lists.at(-1);
    if (list !== undefined && this.length - list > LIST_CHARACTERS_MAX) this.leaveOut(list);
    else if (this.length > FRAME_CHARACTERS_MAX) this.isOver = true;
  }

  private leaveOut(list: number): void {
    this.parts = [this.parts.join("").slice(0, list)];
    this.length = list;
    this.skipped = 1;
  }
}
