import type { Page } from "@playwright/test";

/** The explorer of the largest table of the showcase. */
export const FLIGHTS = "/datasets/us-flights-2001/flights";
/** The page's queries, not those of the server. */
export const QUERY = "**/api/public/tables/*/query";

export const status = (page: Page) => page.locator(".answer-facts [role=status]").first();
export const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);

/** Answers the page's queries with the service's own envelope, with a status that it cannot be made to return. */
export const rejectQueries = (page: Page, code: number, error: string, headers: Record<string, string> = {}) =>
  page.route(QUERY, (route) =>
    route.fulfill({
      status: code,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({
        schema_version: "service-error.v1",
        error,
        request_id: "req_test0001",
        message: "It was rejected.",
      }),
    }),
  );
