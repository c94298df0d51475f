import type { BuildFailure } from "./plan";

/** Ends a build because of its data or its recipe. Never leaves this folder: `runBuild` returns it. */
export class BuildStopped extends Error {
  readonly failure: BuildFailure;

  constructor(failure: BuildFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
