import { FieldFrame } from "@/components/form/field-frame";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

interface Props {
  callbackUrl: string;
  /** Proves that the form was sent from this page. */
  token: string;
  problem?: string | undefined;
}

/** A recovery code instead of a passkey: a plain form, which works without JavaScript. */
export function RecoveryCodeForm({ callbackUrl, token, problem }: Props) {
  return (
    <form method="post" action="/sign-in/passkey/answer" className="grid gap-5">
      {problem && (
        <div id="code-problem">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <input type="hidden" name="token" value={token} />
      <FieldFrame id="code" label="Recovery code">
        <input
          id="code"
          name="code"
          className="field font-mono"
          placeholder="xxxx-xxxx-xxxx"
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? "code-problem code-hint" : "code-hint"}
        />
        <p id="code-hint" className="mt-1.5 text-muted text-xs">
          One of the ten codes that you were shown with your first passkey. Each works once.
        </p>
      </FieldFrame>
      <Button type="submit">Use this code</Button>
    </form>
  );
}
