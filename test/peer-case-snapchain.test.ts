import { afterAll, beforeAll } from 'vitest';
import { Front } from './peer-case/front.js';
import { SNAPCHAIN } from './peer-case/list.js';
import { tryCases } from './peer-case/try-case.js';
import { type Network, startNetwork } from './support/network.js';

let network: Network;
let front: Front;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { hubRpc: {} });
  front = new Front(network);
});
afterAll(async () => {
  front.client.close();
  await network.stop();
});

tryCases(SNAPCHAIN, () => front);
