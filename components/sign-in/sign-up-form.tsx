"use client";

import Link from "next/link";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiForm } from "@/components/form/api-form";
import { callApi, type Problem } from "@/components/form/call-api";
import { NeedsScript } from "@/components/form/needs-script";
import { PasswordField } from "@/components/form/password-field";
import { SubmitButton } from "@/components/form/submit-button";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { EmailAddress } from "@/components/ui/email-address";
import { Notice } from "@/components/ui/notice";
import { NarrowPage } from "./narrow-page";
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

/**
 * Shown after sign-up if addresses are confirmed by email: the same whether or not the address had an account.
 */
function CheckEmail({ email }: { email: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => heading.current?.focus(), []);
  const again = async () => {
    setSaid("");
    const { problem } = await callApi("POST", "/api/account/verification-mail", { email });
    setSaid(problem?.message ?? "Sent again.");
  };
  return (
    <NarrowPage title="Check your email" heading={heading}>
      <div className="space-y-4 text-sm">
        <p className="text-muted">
          We sent an email to{" "}
          <strong className="break-words font-medium text-ink">
            <EmailAddress text={email} />
          </strong>
          . Use the link in it within a day to confirm your address. Then you can sign in.
        </p>
        <p className="text-muted">No email? Check your spam folder, or send it again.</p>
        <Button onClick={again}>Send again</Button>
        <p role="status" className="text-muted">
          {said}
        </p>
      </div>
    </NarrowPage>
  );
}
