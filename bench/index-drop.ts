import pg from 'pg';

interface IndexRow {
  readonly name: string;
  readonly definition: string;
  /** Of the primary key or unique constraint that the index belongs to. */
  readonly constraint: string | null;
}

/** Drops the indexes of a table, so that many rows are loaded without them. @returns the statements that create them again */
export const dropIndexes = async (client: pg.Client, table: string): Promise<string[]> => {
  const name = pg.escapeIdentifier(table);
  const { rows } = await client.query<IndexRow>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(k.oid) as constraint
       from pg_index i
       join pg_class c on c.oid = i.indexrelid
       left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
      where i.indrelid = $1::regclass`,
    [name],
  );
  for (const row of rows) {
    const index = pg.escapeIdentifier(row.name);
    await client.query(
      row.constraint === null ? `drop index ${index}` : `alter table ${name} drop constraint ${index}`,
    );
  }
  return rows.map((row) =>
    row.constraint === null
      ? row.definition
      : `alter table ${name} add constraint ${pg.escapeIdentifier(row.name)} ${row.constraint}`,
  );
};
