import { placeOf } from "@/components/explorer/view/place-text";
import { aliasFor, withNear } from "@/components/explorer/view/view-changes";
import { coordinatesOf } from "@/lib/formats/coordinates";
import { enteredNumber, valueAsText } from "@/lib/view/filter-values";
import { distancesIn, isGroupedView, type View, type ViewColumn, type ViewNear, viewFaults } from "@/lib/view/view";

/** The distance from a place while it is edited. */
export interface NearDraft extends Pick<ViewNear, "latitude" | "longitude" | "as"> {
  /** Latitude and longitude, as typed. */
  place: string;
  /** The greatest distance, as typed. */
  km: string;
  /** Whether the nearest rows come first. */
  isFirst: boolean;
}

const USUAL_KM = "10";

export const draftNear = ({ of, km, ...near }: ViewNear, view: View): NearDraft => ({
  ...near,
  place: of.map(valueAsText).join(", "),
  km: km === undefined ? "" : valueAsText(km),
  isFirst: distancesIn(view).some(({ name }) => view.order_by.some(({ column }) => column === name)),
});

/** An empty draft for the columns that are latitudes and longitudes; undefined if there are none. */
export function emptyNear(columns: readonly ViewColumn[]): NearDraft | undefined {
  const places = coordinatesOf(columns);
  const as = aliasFor(
    "distance_km",
    undefined,
    columns.map(({ name }) => name),
  );
  return places && { ...places, ...(as !== "distance_km" && { as }), place: "", km: USUAL_KM, isFirst: true };
}

const nearOf = ({ latitude, longitude, as, place, km }: NearDraft): ViewNear => ({
  latitude,
  longitude,
  of: (placeOf(place) ?? []).map(enteredNumber),
  ...(km !== "" && { km: enteredNumber(km) }),
  ...(as !== undefined && { as }),
});

/** The view with the distance that a draft describes, or without one. */
export const viewNear = (view: View, draft: NearDraft | undefined): View =>
  withNear(view, draft && nearOf(draft), draft?.isFirst === true && !isGroupedView(view));

/** What is wrong with a draft, as a sentence; undefined if the service accepts it. */
export function nearFault(view: View, draft: NearDraft, columns: readonly ViewColumn[]): string | undefined {
  if (placeOf(draft.place) === undefined)
    return "Enter a latitude and a longitude in degrees, such as 40.7128, -74.006 or 40.7128 N 74.006 W.";
  return viewFaults(viewNear(view, draft), columns).find(({ pointer }) => pointer.startsWith("/near"))?.message;
}
