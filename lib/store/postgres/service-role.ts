import { createHmac } from "node:crypto";
import pg from "pg";

/** The role that the service connects as: owner of its database, without superuser rights. */
export const SERVICE_ROLE = "parquetry";

/** The role's password, derived from the superuser's. */
export const serviceRolePassword = (superuserPassword: string): string =>
  createHmac("sha256", superuserPassword).update(SERVICE_ROLE).digest("hex");

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('service role', 0))";

/**
 * Statements that hand over everything in the schema that still belongs to the superuser. Extensions keep their owner.
 */
const HAND_OVER = `SELECT format('ALTER %s %s OWNER TO ${SERVICE_ROLE}', kind, name) AS statement FROM (
    SELECT 'DATABASE' AS kind, quote_ident(datname) AS name, 'pg_database'::regclass AS class, oid, datdba AS owner
      FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass::text,
      'pg_class'::regclass, oid,
        relowner
      FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND (relkind IN ('r', 'p', 'v', 'm')
        OR relkind = 'S' AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
    UNION ALL SELECT 'TYPE', oid::regtype::text, 'pg_type'::regclass, oid, typowner
      FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e')
    UNION ALL SELECT 'ROUTINE', oid::regprocedure::text, 'pg_proc'::regclass, oid, proowner
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ) o WHERE owner <> '${SERVICE_ROLE}'::regrole
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = o.class AND d.objid = o.oid AND d.deptype = 'e')
  ORDER BY kind <> 'DATABASE'`;

/**
 * Creates the role if missing and gives it its database, with everything that an earlier version created in it as the
 * superuser.
 */
export async function ensureServiceRole(superuser: pg.Client, password: string): Promise<void> {
  await superuser.query("BEGIN");
  await superuser.query(LOCK);
  const found = await superuser.query("SELECT FROM pg_roles WHERE rolname = $1", [SERVICE_ROLE]);
  if (!found.rowCount)
    await superuser.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
  const { rows } = await superuser.query<{ statement: string }>(HAND_OVER);
  for (const { statement } of rows) await superuser.query(statement);
  await superuser.query("COMMIT");
}
