import { expect, test } from "vitest";
import { hashPassword } from "@/lib/auth/password";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { finishBackground } from "@/lib/store/background";
import { createPerson, findPerson } from "@/lib/store/people/people";
import { useTestState } from "@/lib/testing/database";
import { useMailServer } from "@/lib/testing/mail-server";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { changeAddress, confirmNewAddress } from "./change-address";

const { url: SMTP_URL, received } = await useMailServer();

useTestState({ SMTP_URL });

const PASSWORD = "tangerine harpsichord 7";

async function somebody(email: string) {
  const made = await createPerson(
    { email, passwordHash: await hashPassword(PASSWORD), emailVerified: new Date() },
    ADMINISTRATOR,
  );
  return { id: made?.id ?? "", cookie: await sessionCookie(made?.id ?? "") };
}

/** Takes out the messages that arrived for an address. */
async function mailFor(to: string): Promise<string> {
  await finishBackground();
  const at = received.findIndex((mail) => mail.to === to);
  return at < 0 ? "" : (received.splice(at, 1)[0]?.text ?? "");
}

test("the code goes to the new address, changes it, and the old address is notified", async () => {
  const { id, cookie } = await somebody("old@example.com");
  const asked = await call(changeAddress, {}, { cookie }, { email: "new@example.com", password: PASSWORD });
  expect([asked.status, asked.body.status]).toEqual([202, "check_mail"]);
  expect((await findPerson("old@example.com"))?.id).toBe(id);
  const code = /^[A-Za-z0-9_-]{43}$/m.exec((await mailFor("new@example.com")).replaceAll("\r", ""))?.[0] ?? "";
  expect((await call(confirmNewAddress, {}, { cookie }, { code })).status).toBe(200);
  expect((await findPerson("new@example.com"))?.id).toBe(id);
  expect(await mailFor("old@example.com")).toContain("The email address of your Parquetry account was changed");
});

test("an address with an account is told so instead, and the reply is the same", async () => {
  const { cookie } = await somebody("asker@example.com");
  await somebody("owner@example.com");
  const asked = await call(changeAddress, {}, { cookie }, { email: "owner@example.com", password: PASSWORD });
  expect([asked.status, asked.body.status]).toEqual([202, "check_mail"]);
  const mail = await mailFor("owner@example.com");
  expect(mail).toContain("asked to use this email address");
  expect(mail.replaceAll("\r", "")).not.toMatch(/^[A-Za-z0-9_-]{43}$/m);
});
