const BUILD = Symbol.for("parquetry.site-build");
const holder = globalThis as unknown as Record<symbol, Promise<void> | undefined>;

/** Keeps a build of the pages for the program that this process becomes. */
export function keepSiteBuild(build: Promise<void>): void {
  holder[BUILD] = build;
  build.catch(() => undefined); // reported by the program, which may not be loaded yet
}

/** The build of the pages that this start has begun; undefined if they were already built. */
export const siteBuild = (): Promise<void> | undefined => holder[BUILD];
