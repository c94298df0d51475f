import type { ReactNode } from "react";
import { StudioForm } from "@/components/form/studio-form";
import { Button, type ButtonLook, LinkButton } from "@/components/ui/button";

interface Props {
  /** What follows from it, one fact each. */
  facts: readonly ReactNode[];
  /** What can be chosen, each with its own form. */
  choices: readonly {
    fields: Readonly<Record<string, string>>;
    label: string;
    look?: ButtonLook;
    /** Further fields that the person fills in. */
    inputs?: ReactNode;
  }[];
  /** The page to return to without any change. */
  back: string;
}

/** A question before a change: what follows from it, and the buttons that make it. Works without script. */
export const ChangeQuestion = ({ facts, choices, back }: Props) => (
  <div className="mt-6 max-w-3xl">
    <ul className="list-disc space-y-1.5 pl-5">
      {facts.map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={at} className="wrap-anywhere">
          {fact}
        </li>
      ))}
    </ul>
    <div className="mt-6 flex flex-wrap items-end gap-3">
      {choices.map(({ fields, label, look, inputs }) => (
        <StudioForm key={label} fields={fields} className={inputs ? "w-full space-y-3" : ""}>
          {inputs}
          <Button type="submit" look={look}>
            {label}
          </Button>
        </StudioForm>
      ))}
      <LinkButton href={back} look="quiet">
        Change nothing
      </LinkButton>
    </div>
  </div>
);
