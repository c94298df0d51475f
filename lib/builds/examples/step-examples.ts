import { STEP_CASES } from "@/lib/builds/steps/examples";

/** A step of each kind, from its first golden case that gives rows. */
export const stepExample = (kind: string): Readonly<Record<string, unknown>> | undefined =>
  STEP_CASES[kind]?.find(({ expected }) => expected !== undefined)?.steps.find(({ step }) => step === kind) as
    | Readonly<Record<string, unknown>>
    | undefined;
