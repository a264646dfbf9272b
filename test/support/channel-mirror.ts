import { createChannelMirror } from '../../src/channel/client/service.js';
import type { Network } from './network.js';

/** The jobs of the mirror, run by hand on the database and the caches of a network. */
export interface TestMirror {
  /** Milliseconds that the mirror's clock is ahead. */
  ahead: number;
  /** What was logged since it was last taken, without the reports of complete runs. */
  warnings(): object[];
  syncChannels(): Promise<void>;
  syncDetails(): Promise<void>;
}

export const createTestMirror = (network: Network): TestMirror => {
  const warned: object[] = [];
  const mirror = createChannelMirror(network.config.channels, {
    db: network.app.core.db,
    clock: () => Date.now() + own.ahead,
    changed: network.app.invalidate,
    log: { info: () => undefined, warn: (details, message) => void warned.push({ ...details, message }) },
  });
  const run = async (name: string): Promise<void> => {
    await mirror?.jobs.find((job) => job.name === name)?.run(new AbortController().signal);
  };
  const own: TestMirror = {
    ahead: 0,
    warnings: () => warned.splice(0),
    syncChannels: () => run('mirror-channels'),
    syncDetails: () => run('mirror-channel-members'),
  };
  return own;
};
