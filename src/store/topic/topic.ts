import type { Session } from '../../db/statement.js';
import { readQuery, writeQuery } from '../query-function.js';
import type { Camel } from '../table.js';
import type { Tables } from '../tables.js';
import { bansOf, TOPICS } from '../tag.js';
import { visibleTo } from '../visibility.js';

/** A topic as a run counts it. */
export interface NewTopic extends Camel<Pick<Tables['topic'], 'slug' | 'name' | 'query' | 'top_level_topic'>> {
  readonly summary: string | null;
  /** The latest first. */
  readonly authors: readonly number[];
}

const insertRun = writeQuery(
  'insert_topic_run',
  'insert into topic_run (counted_at) values (:at) on conflict do nothing',
).done();

const insertTopics = writeQuery(
  'insert_topics',
  `insert into topic (counted_at, place, slug, name, query, top_level_topic, summary, authors)
   select :at, t.place, t.slug, t.name, t.query, t."topLevelTopic", t.summary, t.authors
     from json_to_recordset(:rows::json)
       as t(place integer, slug text, name text, query text, "topLevelTopic" text, summary text, authors bigint[])
   on conflict do nothing`,
).done();

/** @param topics the strongest first */
export const insertTopicRun = async (session: Session, at: Date, topics: readonly NewTopic[]): Promise<void> => {
  await insertRun(session, { at });
  const rows = topics.map((topic, index) => ({ ...topic, place: index + 1 }));
  await insertTopics(session, { at, rows: JSON.stringify(rows) });
};

export const deleteTopicRunsBefore = writeQuery(
  'delete_old_topic_runs',
  'delete from topic_run where counted_at < :before',
).done((before: Date) => ({ before }));

/** @returns Unix milliseconds of the latest run; undefined: there is none */
export const selectLatestTopicRun = readQuery(
  'topic_run_latest',
  'select (extract(epoch from counted_at) * 1000)::bigint as "at!" from topic_run order by counted_at desc limit 1',
  () => [TOPICS],
).value('at');

/** Authors that a topic shows. */
const SHOWN_AUTHORS = 5;

/**
 * @param counted run in Unix milliseconds
 * @param after place of the last topic of the previous page; 0 for the first one
 * @returns topics of a run, the strongest first, with up to five authors whom the app did not ban;
 *   `topLevelTopic` is one of `TOP_LEVEL_TOPICS`
 */
export const selectTopics = readQuery(
  'topic_page',
  `select t.place, t.slug, t.name, t.top_level_topic as "topLevelTopic", t.summary,
          array(select a.fid from unnest(t.authors) with ordinality as a(fid, place)
                 where ${visibleTo('a.fid', 'null', ':appId')} order by a.place limit ${SHOWN_AUTHORS}) as "authors!"
     from topic t
    where t.counted_at = timestamptz 'epoch' + :counted::bigint * interval '1 millisecond' and t.place > :after::integer
    order by t.place limit :limit`,
  ({ appId }) => [TOPICS, bansOf(appId)],
).rows((appId: string, counted: number, after: number, limit: number) => ({ appId, counted, after, limit }));

/** @returns the search query of the latest topic with this slug; undefined: no stored run has one */
export const selectTopicQuery = readQuery(
  'topic_query',
  'select query from topic where slug = :slug order by counted_at desc limit 1',
  () => [TOPICS],
).value('query', (slug: string) => ({ slug }));
