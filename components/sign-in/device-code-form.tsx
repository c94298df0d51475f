import { FieldFrame } from "@/components/form/field-frame";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

/**
 * Where a person enters the code that their command line shows. A plain form: the code becomes part of the page's URL.
 */
export function DeviceCodeForm({ typed = "", problem }: { typed?: string | undefined; problem?: string | undefined }) {
  const described = problem ? "code-problem code-hint" : "code-hint";
  return (
    <form method="get" action="/device" className="grid gap-5">
      {problem && (
        <div id="code-problem">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      <FieldFrame id="code" label="Code">
        <input
          id="code"
          name="user_code"
          className="field code-field"
          defaultValue={typed}
          placeholder="XXXX-XXXX"
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={problem ? true : undefined}
          aria-describedby={described}
        />
        <p id="code-hint" className="mt-1.5 text-muted text-xs">
          Eight letters, as shown in your terminal. Case and the hyphen don’t matter.
        </p>
      </FieldFrame>
      <Button type="submit" look="primary">
        Continue
      </Button>
    </form>
  );
}
