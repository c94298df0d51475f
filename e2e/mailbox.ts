import { EventEmitter, once } from "node:events";
import { SMTPServer } from "smtp-server";
import { noteFound } from "./used-secrets";

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  /** The link in it that leads to the service. */
  link: string;
}

/** A mail server that keeps what it receives. */
export class Mailbox {
  readonly received: ReceivedMail[] = [];
  readonly #arrivals = new EventEmitter();
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        this.received.push(readMail(Buffer.concat(chunks).toString("utf8"), session.envelope.rcptTo[0]?.address ?? ""));
        this.#arrivals.emit("mail");
        done();
      });
    },
  });

  constructor(private readonly port: number) {}

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server.server, "listening");
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** The newest email to somebody, once there are `count` of them. */
  async mailTo(address: string, count = 1): Promise<ReceivedMail> {
    const found = () => this.received.filter(({ to }) => to === address);
    while (found().length < count) await once(this.#arrivals, "mail");
    return found().at(-1) as ReceivedMail;
  }
}

function readMail(raw: string, to: string): ReceivedMail {
  const [head = "", ...body] = raw.split("\r\n\r\n");
  const isQuoted = /^content-transfer-encoding: quoted-printable/im.test(head);
  const text = isQuoted ? unquoted(body.join("\r\n\r\n")) : body.join("\r\n\r\n");
  noteFound(text, "an email");
  return {
    to,
    subject: /^subject: (.*)$/im.exec(head)?.[1]?.trim() ?? "",
    text,
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? "",
  };
}

const unquoted = (text: string): string =>
  text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
