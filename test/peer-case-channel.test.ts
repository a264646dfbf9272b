import { afterAll, beforeAll } from 'vitest';
import { REGISTRAR } from './peer-case/channel-world.js';
import { Front } from './peer-case/front.js';
import { CHANNELS } from './peer-case/list.js';
import { tryCases } from './peer-case/try-case.js';
import { type Network, startNetwork } from './support/network.js';

let network: Network;
let front: Front;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_CHANNEL_REGISTRAR: REGISTRAR }, undefined, { hubRpc: {} });
  front = new Front(network);
});
afterAll(async () => {
  front.client.close();
  await network.stop();
});

tryCases(CHANNELS, () => front);
