import { type Dialect, schema } from "../dialect.ts"

/** What a new free call adds to, and a call that no longer counts takes from. */
const COUNTED = ["client", "ip"] as const

const callersOf = (row: "NEW" | "OLD"): string =>
  [...COUNTED.map((column) => `${row}.${column}`), "'all'"].join(", ")

const ADD = `INSERT INTO free_calls_counts (caller, calls)
    VALUES (NEW.client, 1), (NEW.ip, 1), ('all', 1)
    ON CONFLICT (caller) DO UPDATE SET calls = free_calls_counts.calls + 1;`
const TAKE = `UPDATE free_calls_counts SET calls = calls - 1 WHERE caller IN (${callersOf("OLD")});
    DELETE FROM free_calls_counts WHERE caller IN (${callersOf("OLD")}) AND calls <= 0;`

const sqliteTriggers = ({ sql }: Dialect) => [
  sql.unsafe(`CREATE TRIGGER free_calls_added AFTER INSERT ON free_calls BEGIN ${ADD} END`),
  sql.unsafe(`CREATE TRIGGER free_calls_taken AFTER DELETE ON free_calls BEGIN ${TAKE} END`)
]

const postgresTrigger =
  (name: string, event: string, body: string) =>
  ({ sql }: Dialect) => [
    sql.unsafe(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN ${body} RETURN NULL; END $$`),
    sql.unsafe(`CREATE TRIGGER ${name} AFTER ${event} ON free_calls FOR EACH ROW EXECUTE FUNCTION ${name}()`)
  ]
const postgresTriggers = (dialect: Dialect) => [
  ...postgresTrigger("free_calls_added", "INSERT", ADD)(dialect),
  ...postgresTrigger("free_calls_taken", "DELETE", TAKE)(dialect)
]

/**
 * How many rows `free_calls` holds: of each client, of each address, and of `all`. Counted by the database itself with
 * every row that comes or goes, whoever writes it, so that a free call need not count a window that others have filled.
 * The name sorts behind the table it counts: a backup is restored in that order, and what it says is what stays.
 */
export default schema((dialect) => {
  const { integer, sql } = dialect
  return [
    sql`CREATE TABLE free_calls_counts (caller TEXT PRIMARY KEY NOT NULL, calls ${integer} NOT NULL)`,
    ...COUNTED.map(
      (column) => sql`INSERT INTO free_calls_counts (caller, calls)
        SELECT ${sql(column)}, COUNT(*) FROM free_calls GROUP BY ${sql(column)}`
    ),
    sql`INSERT INTO free_calls_counts (caller, calls)
      SELECT 'all', calls FROM (SELECT COUNT(*) AS calls FROM free_calls) AS held WHERE calls > 0`,
    ...sql.onDialectOrElse({
      pg: () => postgresTriggers(dialect),
      orElse: () => sqliteTriggers(dialect)
    }),
    sql`DROP INDEX free_calls_by_client`,
    sql`DROP INDEX free_calls_by_ip`
  ]
})
