import { storeBenchChannels } from './channel.js';
import { startChild } from './child.js';
import type { HubInput, HubResult } from './hub.js';
import { startService } from './service.js';
import { type Row, whole } from './table.js';
import { markLoaded, type Target, withDatabase } from './target.js';

const TARGET = 10_000;
const POLL_MS = 100;

/**
 * Measures the ingest of a network through the event stream of a hub, as `castellan serve` follows it, with the hub on
 * the same machine. Leaves the network loaded. Requires a PostgreSQL server, because the position is read beside the
 * service.
 */
export const measureHubIngest = async (target: Target, scale: number, flags: readonly string[]): Promise<Row> => {
  await target.create();
  const hub = startChild<HubInput, HubResult>('hub.ts');
  const { port } = await hub.ask({ scale, stream: false });
  const service = await startService({ ...target.environment, CASTELLAN_HUB_URL: `grpc://127.0.0.1:${port}` }, flags);
  try {
    const before = await service.usage();
    const started = performance.now();
    const { lastId, messages } = await hub.ask({ scale, stream: true });
    await withDatabase(target.environment, async (db) => {
      for (let stored = 0; stored < lastId; ) {
        await new Promise((done) => setTimeout(done, POLL_MS));
        const [row] = await db.run<{ id: number }>('select max(event_id)::float8 as id from hub_position');
        stored = row?.id ?? 0;
      }
    });
    const seconds = (performance.now() - started) / 1000;
    const { cpuSeconds } = await service.usage();
    await service.stop();
    await withDatabase(target.environment, async (db) => {
      await storeBenchChannels(db);
      await db.script('vacuum (analyze)');
      await markLoaded(db);
    });
    const rate = messages / seconds;
    return {
      what: 'ingest through the stream of a hub on the same machine',
      measured: `${whole(rate)} messages/s`,
      cpu: (1e6 * (cpuSeconds - before.cpuSeconds)) / messages,
      target: { text: `>= ${whole(TARGET)}/s`, isMet: rate >= TARGET },
    };
  } finally {
    await service.stop();
    await hub.stop();
  }
};
