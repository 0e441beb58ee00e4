import { type Dialect, schema } from "../dialect.ts"

const ADD = `INSERT INTO free_calls_counts (caller, calls) VALUES (NEW.net, 1)
    ON CONFLICT (caller) DO UPDATE SET calls = free_calls_counts.calls + 1;`
const TAKE = `UPDATE free_calls_counts SET calls = calls - 1 WHERE caller = OLD.net;
    DELETE FROM free_calls_counts WHERE caller = OLD.net AND calls <= 0;`

const sqliteTrigger = (
  name: string,
  event: string,
  row: "NEW" | "OLD",
  body: string
) => `CREATE TRIGGER ${name}
  AFTER ${event} ON free_calls WHEN ${row}.net IS NOT NULL BEGIN ${body} END`

const postgresTrigger = (name: string, event: string, row: "NEW" | "OLD", body: string) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON free_calls FOR EACH ROW
    WHEN (${row}.net IS NOT NULL) EXECUTE FUNCTION ${name}()`
]

const triggers = ({ sql }: Dialect): ReadonlyArray<string> =>
  sql.onDialectOrElse({
    pg: () => [
      ...postgresTrigger("free_calls_net_added", "INSERT", "NEW", ADD),
      ...postgresTrigger("free_calls_net_taken", "DELETE", "OLD", TAKE)
    ],
    orElse: () => [
      sqliteTrigger("free_calls_net_added", "INSERT", "NEW", ADD),
      sqliteTrigger("free_calls_net_taken", "DELETE", "OLD", TAKE)
    ]
  })

/**
 * The network a free call came from, as a digest: of an IPv6 address, whose owner may have tens of thousands of them. It is
 * counted like client and address are. No calls are counted for the networks of before.
 */
export default schema((dialect) => [
  dialect.sql`ALTER TABLE free_calls ADD COLUMN net TEXT`,
  ...triggers(dialect).map((trigger) => dialect.sql.unsafe(trigger))
])
