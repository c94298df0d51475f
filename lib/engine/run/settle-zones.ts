import { setImmediate } from "node:timers/promises";
import type { Plan } from "@/lib/engine/plan/planned";
import { daysIn, type Footer } from "@/lib/engine/sql/scanned-bytes";
import { ALL_INSTANTS, offsetsOfBlock, zoneBlocks } from "@/lib/engine/types/zones";

/** The release of the IANA time zone database that local times are of. */
export const TZDB = process.versions.tz ?? "unknown";

/** Whether groups of a plan are of local times. */
export const hasZone = (plan: Plan): boolean =>
  plan.kind === "groups" && plan.groups.some(({ zone }) => zone !== undefined);

/**
 * The plan with the instants between which the values of zoned groups are, so that its statement has no other offsets.
 * Looks those up first, a few years at a time, since other requests wait for it.
 */
export async function settleZones(plan: Plan, footer: Footer): Promise<Plan> {
  if (plan.kind !== "groups" || !hasZone(plan)) return plan;
  const groups = plan.groups.map((group) => {
    const within = group.zone === undefined ? undefined : daysIn(footer, group.column);
    return within ? { ...group, within } : group;
  });
  for (const { zone, within = ALL_INSTANTS } of groups)
    for (const block of zone === undefined ? [] : zoneBlocks(...within))
      if (offsetsOfBlock(zone ?? "", block).isNew) await setImmediate();
  return { ...plan, groups };
}
