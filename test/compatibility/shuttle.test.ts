import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Network, startNetwork } from '../support/network.js';
import { hasRedis } from '../support/redis.js';
import { FIDS, type Seeded, seedBasics } from '../support/seed.js';
import { requirePrograms, withoutPrograms } from './programs.js';
import { recordRun } from './record.js';
import { REFUSAL, Shuttle, storedMessages } from './shuttle.js';

const serverUrl = process.env.TEST_DATABASE_URL;
/** Events that the package collects before it stores any. */
const BATCH = 100;

describe.skipIf(withoutPrograms || serverUrl === undefined || !hasRedis)(
  '@farcaster/shuttle (skipped without its package, Redis, or TEST_DATABASE_URL)',
  () => {
    let network: Network;
    let seeded: Seeded;
    let shuttle: Shuttle;
    beforeAll(async () => {
      requirePrograms();
      network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' }, undefined, { hubRpc: {} });
      seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
      shuttle = new Shuttle(serverUrl as string, network.hubRpc);
      await shuttle.start();
    });
    afterAll(async () => {
      await shuttle?.stop();
      await network?.stop();
    });

    test('backfills all accounts, and follows what is added, replaced and removed', async () => {
      const backfilled = () => shuttle.reports.find((report) => report.backfilled)?.backfilled;
      await expect.poll(backfilled).toMatchObject({ accounts: Object.keys(FIDS).length, surplus: {} });
      // alice, bob and dan say where they live.
      expect(backfilled()?.refused).toEqual({ [REFUSAL]: 3 });
      const before = await storedMessages(network.sql);
      expect(await shuttle.messages()).toEqual(before);
      const { alice, bob, carol, casts } = seeded;
      const cast = alice.cast({ text: 'here for a moment' });
      const messages = [
        cast,
        bob.react('like', cast),
        alice.removeCast(cast.hash),
        bob.unreact('like', cast),
        carol.unfollow(alice.fid),
        alice.removeVerification(0, alice.wallet(1).address),
        alice.compactLinks('follow', [carol.fid]),
        // Each replaces the one before.
        ...Array.from({ length: BATCH }, (_, n) => carol.react(n % 2 === 0 ? 'like' : 'recast', casts.quote)),
      ];
      const items = messages.map(({ item }) => item);
      const report = await network.app.core.ingest.submit(items.slice(0, BATCH), { source: 'local', announce: true });
      expect(report.invalid).toEqual({});
      await expect.poll(() => shuttle.position()).toBeGreaterThanOrEqual(BATCH);
      await expect.poll(() => shuttle.hasStored()).toBe(true);
      const after = await storedMessages(network.sql);
      expect(after).not.toEqual(before);
      expect(await shuttle.messages()).toEqual(after);
      const { missing, surplus } = await shuttle.reconcile();
      expect(missing).toEqual({ [FIDS.alice]: 1, [FIDS.bob]: 1, [FIDS.dan]: 1 });
      // It stores a compact state of links, but asks no hub for them.
      expect(surplus).toEqual({ [FIDS.alice]: 1 });
      recordRun('@farcaster/shuttle', {
        MessageReconciliation: true,
        EventStreamHubSubscriber: true,
        HubEventStreamConsumer: true,
        HubEventProcessor: true,
      });
    });
  },
);
