import { expect, test } from "vitest";
import { placeOf } from "./place-text";

test("a place is read as it is written on maps, with its digits", () => {
  for (const [text, place] of [
    ["40.7128, -74.0060", ["40.7128", "-74.0060"]],
    ["  40.7128 −74.006 ", ["40.7128", "-74.006"]],
    ["40.7128;-74", ["40.7128", "-74"]],
    ["40.7128 N 74.006 W", ["40.7128", "-74.006"]],
    ["40.7128° N, 74.006° W", ["40.7128", "-74.006"]],
    ["74.006W 40.7128n", ["40.7128", "-74.006"]],
    ["N 40.7128 W 74.006", ["40.7128", "-74.006"]],
    ["33.9 S, 18.4 E", ["-33.9", "18.4"]],
    ["40°42′46″N 74°0′22″W", ["40.712778", "-74.006111"]],
    [`40°42'46.1"N 74°00'21.6"W`, ["40.712806", "-74.006"]],
    ["-33° 55.5', 18° 25.2'", ["-33.925", "18.42"]],
    ["+10, +20", ["10", "20"]],
    // the range is the service's to check
    ["95, 200", ["95", "200"]],
  ] as const)
    expect([text, placeOf(text)]).toEqual([text, place]);
});

test("what may mean another place, or none, is not read", () => {
  for (const text of [
    "",
    "40.7128",
    "New York",
    "40.7128, -74.006, 12",
    "40.7128 N 74.006",
    "40.7128 N 74.006 S",
    "40.7128 N -74.006 W",
    "40.7128 N W 74.006",
    "40.7 N 74 W N",
    "N 40.7 74",
    "40°61′N 74°W",
    "40′ 74′",
    "40°10″20′, 5",
    `${"1".repeat(60)}, ${"2".repeat(60)}`,
    "lat 40.7, lon -74",
  ])
    expect([text, placeOf(text)]).toEqual([text, undefined]);
});
