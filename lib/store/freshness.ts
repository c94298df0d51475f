/**
 * The state of a dataset `d` as of its last look, as an SQL expression. Files that a publisher prepared have no source
 * that is read, so nothing is claimed of them.
 */
export const FRESHNESS = 'coalesce((SELECT s.state FROM "Standing" s WHERE s."datasetId" = d.id), \'unknown\')::text';
