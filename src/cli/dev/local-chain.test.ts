import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Network, startNetwork } from '../../../test/support/network.js';
import { FIDS, seedBasics } from '../../../test/support/seed.js';
import { KeyType, selectAccountByKey } from '../../store/access/signed-key-request.js';
import { addLocalKey, removeLocalKey } from './local-chain.js';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
  await seedBasics((items) => network.load(items));
});
afterAll(() => network.stop());
afterEach(() => void vi.useRealTimers());

// A block lasts two seconds, and both events may stand in one.
test.each([0, 100, 700, 900, 1100, 1700, 1900])(
  'a key given %i ms past an even second and taken 250 ms later is taken',
  async (past) => {
    const { core } = network.app;
    const local = { fid: FIDS.alice, key: Buffer.alloc(32, past % 251), keyType: KeyType.signer };
    const given = Math.floor(Date.now() / 2000) * 2000 - 60_000 + past;
    vi.useFakeTimers({ toFake: ['Date'], now: given });
    await addLocalKey(core, local);
    vi.setSystemTime(given + 250);
    await removeLocalKey(core, local);
    expect(await selectAccountByKey(core.db, local.key, KeyType.signer)).toMatchObject({ active: false });
  },
);
