import pg from 'pg';

/**
 * Lets a replica replay its log late, by up to 30 ms. Without that, replication is so fast that a replica shows a write
 * before anybody can ask for it.
 * @param url of the replica
 * @returns ends it
 */
export const delayReplay = (url: string): (() => Promise<void>) => {
  let isOver = false;
  const delay = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    while (!isOver) {
      await client.query('select pg_wal_replay_pause()');
      await client.query('select pg_sleep(0.03)');
      await client.query('select pg_wal_replay_resume()');
      await client.query('select pg_sleep(0.01)');
    }
    await client.end();
  };
  const delaying = delay();
  return async () => {
    isOver = true;
    await delaying;
  };
};
