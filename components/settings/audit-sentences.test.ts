import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS, type AuditAction, type AuditEvent } from "@/lib/schemas/audit";
import { auditSentence } from "./audit-sentences";

const VIEWER = "ada@example.com";
const ID = "5f0f9a52-6a3b-4f6e-9b1c-1d2e3f4a5b6c";

const event = (action: AuditAction, rest: Partial<AuditEvent> = {}): AuditEvent => ({
  id: ID,
  at: "2026-11-21T10:00:00.000Z",
  action,
  actor: "person",
  actor_email: VIEWER,
  subject: null,
  subject_email: null,
  details: {},
  from: null,
  ...rest,
});

const told = (action: AuditAction, rest: Partial<AuditEvent> = {}, names: [string, string][] = []): string => {
  const { who, what } = auditSentence(event(action, rest), VIEWER, new Map(names));
  return `${who} ${what}`;
};

describe("the audit log in sentences", () => {
  test("every action has one, whatever its details", () => {
    for (const action of Object.keys(AUDIT_ACTIONS) as AuditAction[]) {
      for (const details of [
        {},
        { from: 1, to: [], name: {}, kind: null, role: 7, by: {}, email: [], reason: {}, sessions: "x" },
      ]) {
        const sentence = told(action, { details });
        expect(sentence).toMatch(/^You [a-z]/);
        expect(sentence).not.toMatch(/undefined|null|\[object|NaN/);
      }
    }
  });

  test.each([
    [told("member.removed", { subject: ID, subject_email: "grace@example.com" }), "You removed grace@example.com"],
    [
      told("member.removed", { actor_email: "grace@example.com", subject_email: "grace@example.com" }),
      "grace@example.com left the workspace",
    ],
    [
      told("member.removed", { actor_email: "grace@example.com", subject_email: VIEWER }),
      "grace@example.com removed you",
    ],
    [told("member.removed", { subject: ID }), "You removed a former member"],
    [
      told("member.joined", {
        actor: "operator",
        actor_email: null,
        subject_email: VIEWER,
        details: { role: "owner" },
      }),
      "The administrator added you as an owner",
    ],
    [
      told("member.role_changed", { subject: ID, details: { to: "owner" } }, [[ID, "Grace"]]),
      "You made Grace an owner",
    ],
    [told("key.created", { details: { kind: "use", name: "notebook" } }), "You created the use key “notebook”"],
    [told("key.revoked", { subject: ID }, [[ID, "“notebook”"]]), "You revoked the key “notebook”"],
    [
      told("key.revoked", {
        subject: ID,
        subject_email: VIEWER,
        details: { reason: "the email address was verified by another account" },
      }),
      "You revoked every key of the account, because the email address was verified by another account",
    ],
    [
      told("plan.changed", {
        actor: "billing",
        actor_email: null,
        details: { from: { plan: "free" }, to: { plan: "paid", subscription: "past_due" } },
      }),
      "Billing changed the plan from free to paid (subscription past due)",
    ],
    [told("account.created", { actor_email: null }), "A deleted account created the account"],
  ])("%s", (sentence, expected) => expect(sentence).toBe(expected));
});
