/**
 * The state of a dataset `d` as of its last look, as an SQL expression of an instant: a look that is an hour late says
 * nothing any more, since no worker looks, but of a source that is finished. Files that a publisher prepared have no
 * source that is read, so nothing is claimed of them.
 */
export const freshnessAt = (now: string): string =>
  `coalesce((SELECT CASE WHEN s.state <> 'dormant' AND s."checkAt" < ${now} - interval '1 hour' THEN 'unknown'
      ELSE s.state END FROM "Standing" s WHERE s."datasetId" = d.id), 'unknown')::text`;
