import { expectAccessible, expectFitsPhone, expectRoomyTargets } from "./accessibility";
import { BrowserPerson } from "./browser-person";
import { PAGES } from "./page-list";
import { newEmail, Person } from "./people";
import { test } from "./test";

/** Without the variable, only the pages of people: the others have specs that look at them. */
const LISTED = process.env.EVERY_PAGE ? PAGES : PAGES.filter(({ reader }) => reader === "person");

test("every page, in both themes: accessible, targets for fingers, no sideways scrolling at 320 pixels", async ({
  browser,
}) => {
  const person = new Person(newEmail("every-page"));
  await person.signUp();
  const [{ id: workspace } = { id: "" }] = (await person.account()).workspaces;
  await person.createKey(workspace, "laptop");
  const { page } = await BrowserPerson.of(browser, person);
  for (const { path } of LISTED) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await expectAccessible(page);
    await expectRoomyTargets(page);
    await expectFitsPhone(page);
  }
});
