import type { Page } from "@playwright/test";

/** A page's requests that wait until they are released. */
export interface HeldRequests {
  /** Resolves once there is one. */
  asked: Promise<void>;
  /** Lets them continue, as well as later ones. Resolves once each has continued, or was abandoned by its page. */
  release(): Promise<void>;
}

/** Holds a page's requests to these URLs, if `matches` returns true. */
export async function held(
  page: Page,
  addresses: string | RegExp,
  matches: (body: string) => boolean = () => true,
): Promise<HeldRequests> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const going: Promise<unknown>[] = [];
  await page.route(addresses, (route) => {
    if (!matches(route.request().postData() ?? "")) return route.continue();
    asked.resolve();
    const goes = released.promise.then(() => route.continue()).catch(() => undefined);
    going.push(goes);
    return goes;
  });
  return {
    asked: asked.promise,
    release: async () => {
      released.resolve();
      await Promise.all(going);
    },
  };
}
