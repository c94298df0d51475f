import Link from "next/link";
import { CodeBlock } from "@/components/code-block";
import { FactTable } from "@/components/fact-table";
import { ERRORS } from "@/lib/errors";
import { Code, Section, Step } from "./section";

const UNAUTHORISED = Object.entries(ERRORS).filter(([, { status }]) => status === 401);

/** From an account to a key, its use and its end. */
export function AccountsSection() {
  return (
    <Section id="keys" title="Accounts and use keys">
      <Step
        title="Make one"
        text={
          <>
            <a className="link" href="/sign-up">
              Sign up
            </a>
            , open{" "}
            <Link className="link" href="/settings/access" prefetch={false}>
              Settings, Access
            </Link>{" "}
            and create a key: give it the name of where it will be used, and a day on which it ends. It is shown once, since the service keeps only a hash of
            it.
          </>
        }
      />
      <Step
        title="Use it"
        text={
          <>
            Send it in the header <Code>x-api-key</Code>. It reads every public dataset and the private ones of its workspace, with limits of its own; the page
            that made it shows what it has read. Give every program a key to itself, so that one can be revoked alone.
          </>
        }
      >
        <CodeBlock label="In a shell" language="shellscript" code={`PARQUETRY_KEY='svc_use_…'\ncurl -H "x-api-key: $PARQUETRY_KEY" …`} />
      </Step>
      <Step
        title="End it"
        text="Revoking holds from the key’s next request on and cannot be undone. So does removing a member: their keys in the workspace end with it. A key that leaked is best revoked first and looked into afterwards."
      />
      <Step title="When a key is refused" text="With 401; the field error of the reply says why:">
        <FactTable label="Refusals of keys" head={["Code", "What to do"]} rows={UNAUTHORISED.map(([code, row]) => ({ key: code, cells: [code, row.fix] }))} />
      </Step>
      <Step
        title="Share"
        text="Everybody has a personal workspace; more can be made, each with members and owners, keys, secrets and an audit log of its own. Members see their own keys, owners everybody’s. Invitations are links that work once."
      />
    </Section>
  );
}
