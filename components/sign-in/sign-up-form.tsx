"use client";

import Link from "next/link";
import { type ReactNode, useRef, useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import type { Problem } from "@/components/form/call-api";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Notice } from "@/components/ui/notice";
import { CheckEmail } from "./check-email";
import { NarrowPage } from "./narrow-page";
import { NeedsScript } from "./needs-script";
import { signInWithPassword } from "./sign-in-call";

interface Typed {
  email: string;
  password: string;
  name?: string;
}

interface Props {
  callbackUrl: string;
  signInUrl: string;
  /** Other ways to sign up, below the form. */
  children: ReactNode;
}

/** Creates an account; if the service sends no email, its creator is signed in immediately. */
export function SignUpForm({ callbackUrl, signInUrl, children }: Props) {
  const typed = useRef<Typed>({ email: "", password: "" });
  const [mailed, setMailed] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const toBody = (form: FormData): Typed => {
    const name = String(form.get("name")).trim();
    typed.current = { email: String(form.get("email")), password: String(form.get("password")), ...(name && { name }) };
    return typed.current;
  };
  const onDone = ({ status }: { status: string }) => {
    const { email, password } = typed.current;
    if (status === "check_mail") setMailed(email);
    else void signInWithPassword(email, password, callbackUrl, false).then(setProblem);
    return false;
  };
  if (mailed) return <CheckEmail email={mailed} />;
  if (problem) return <AccountMade problem={problem} signInUrl={signInUrl} />;
  return (
    <NarrowPage
      title="Sign up"
      intro={
        "A free account gives you use keys (API keys), pages of up to 10,000 rows, downloads of whole tables and " +
        "your own quota."
      }
    >
      <NeedsScript what="Signing up" />
      <ApiForm method="POST" path="/api/account/sign-up" toBody={toBody} onDone={onDone} className="space-y-5">
        <TextField
          name="name"
          label="Name"
          hint="Shown to members of your workspaces. Optional."
          autoComplete="name"
          maxLength={100}
        />
        <TextField name="email" type="email" label="Email" autoComplete="username" required maxLength={254} />
        <PasswordField
          name="password"
          label="Password"
          hint="At least 10 characters that are hard to guess, such as a few unrelated words."
          autoComplete="new-password"
        />
        <div className="grid">
          <SubmitButton>Sign up</SubmitButton>
        </div>
      </ApiForm>
      {children}
    </NarrowPage>
  );
}

function AccountMade({ problem, signInUrl }: { problem: Problem; signInUrl: string }) {
  return (
    <NarrowPage title="Almost there">
      <Notice tone="danger" title="Your account is ready, but you are not signed in yet.">
        <p>
          {problem.message}{" "}
          <Link href={signInUrl} className="link">
            Sign in
          </Link>
        </p>
      </Notice>
    </NarrowPage>
  );
}
