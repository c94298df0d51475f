import { expect, test } from "vitest";
import { isSameResource } from "./same-resource";

const RESOURCE = "https://data.example.org/api/mcp";

test.each([
  RESOURCE,
  `${RESOURCE}/`,
  "HTTPS://data.example.org/api/mcp",
  "https://DATA.Example.ORG/api/mcp/",
  "https://data.example.org:443/api/mcp",
])("%s is the connector", (asked) => {
  expect(isSameResource(asked, RESOURCE)).toBe(true);
});

test.each([
  "",
  "data.example.org/api/mcp",
  "http://data.example.org/api/mcp",
  "https://data.example.org:8443/api/mcp",
  "https://data.example.org.evil.example/api/mcp",
  "https://evil@data.example.org/api/mcp",
  `${RESOURCE}//`,
  `${RESOURCE}/account`,
  `${RESOURCE}?x=1`,
  `${RESOURCE}#x`,
  "https://data.example.org/API/mcp",
])("%s is not", (asked) => {
  expect(isSameResource(asked, RESOURCE)).toBe(false);
});
