import { expect, type Locator } from "@playwright/test";

/** Whether React has taken over this server-rendered part of a page. */
export const isLive = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__reactProps")));

export const expectLive = (part: Locator): Promise<void> => expect.poll(() => isLive(part)).toBe(true);
