import { once } from "node:events";
import { createServer } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";

/**
 * A mail server for the test file, and the emails received. Call at the top of the file, since settings need its URL.
 * Example: `const mail = await useMailServer(); useTestState({ SMTP_URL: mail.url });`.
 */
export async function useMailServer(): Promise<{ url: string; received: { to: string; text: string }[] }> {
  const received: { to: string; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, { envelope }, done) {
      let text = "";
      for await (const chunk of stream) text += chunk;
      received.push({ to: envelope.rcptTo[0]?.address ?? "", text });
      done();
    },
  });
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as { port: number };
  free.close();
  server.listen(port, "127.0.0.1");
  afterAll(() => server.close());
  return { url: `smtp://127.0.0.1:${port}`, received };
}
