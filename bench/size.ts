import type { Database } from '../src/db/database.js';
import { renderCells, whole } from './table.js';
import { type Target, withDatabase } from './target.js';

/** Signed messages of the public network, for what a message's bytes mean there. */
const PUBLIC_NETWORK = 665_000_000;
/** Smaller relations are shown together. */
const SHOWN_BYTES = 0.5;

export interface RelationSize {
  readonly name: string;
  /** The table itself, or an index. */
  readonly kind: 'heap' | 'index';
  readonly rows: number;
  readonly bytes: number;
}

/** Bytes of each table, with what it stores out of line, and of each index; rows as the last vacuum counted them. */
const RELATIONS = `
  select c.relname as name, case when c.relkind = 'i' then 'index' else 'heap' end as kind,
         greatest(c.reltuples, 0)::float8 as rows,
         (pg_relation_size(c.oid) + coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as bytes
    from pg_class c
    left join pg_index i on i.indexrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')
   order by (select pg_total_relation_size(coalesce(i.indrelid, c.oid))) desc, coalesce(i.indrelid, c.oid),
            c.relkind = 'i', bytes desc`;

/** @returns a table of relations from large to small tables, each followed by its indexes */
export const renderSizes = (relations: readonly RelationSize[], messages: number): string => {
  const line = (name: string, kind: string, rows: number | undefined, bytes: number): string[] => [
    name,
    kind,
    rows === undefined ? '' : whole(rows),
    rows === undefined ? '' : whole(bytes / Math.max(1, rows)),
    (bytes / messages).toFixed(1),
    whole((bytes / messages) * (PUBLIC_NETWORK / 1e9)),
  ];
  const total = (of: readonly RelationSize[]): number => of.reduce((sum, { bytes }) => sum + bytes, 0);
  const isShown = ({ bytes }: RelationSize): boolean => bytes / messages >= SHOWN_BYTES;
  const rest = relations.filter((relation) => !isShown(relation));
  return renderCells(
    ['Table or index', 'Kind', 'Rows', 'Bytes a row', 'Bytes a message', 'GB at 665 million'],
    [
      ...relations.filter(isShown).map(({ name, kind, rows, bytes }) => line(name, kind, rows, bytes)),
      line(`${rest.length} smaller ones`, '', undefined, total(rest)),
      line('all', '', undefined, total(relations)),
    ],
  );
};

const readSizes = (db: Database, messages: number): Promise<string> =>
  db.run<RelationSize>(RELATIONS).then((relations) => renderSizes(relations, messages));

/**
 * Measures the size on disk of a loaded network: as its ingest left it and, on a server, in a copy whose indexes are
 * built again.
 */
export const measureSizes = async (target: Target): Promise<string> => {
  const { messages, loaded } = await withDatabase(target.environment, async (db) => {
    const [count] = await db.run<{ messages: number }>('select count(*)::float8 as messages from message');
    const messages = count?.messages ?? 0;
    return { messages, loaded: `${whole(messages)} messages.\n\n${await readSizes(db, messages)}` };
  });
  if (target.kind !== 'postgres') return loaded;
  const copy = await target.copy('copy');
  try {
    const rebuilt = await withDatabase(copy.environment, async (db) => {
      await db.script('reindex schema public');
      return readSizes(db, messages);
    });
    return `${loaded}\n\nAfter \`reindex schema public\`:\n\n${rebuilt}`;
  } finally {
    await copy.drop();
  }
};
