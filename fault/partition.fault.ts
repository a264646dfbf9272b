import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';
import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

const LASTS_MS = 15_000;
const NAMESPACE = 'castellan-fault';
const LINK = 'castellan-f0';
const [HERE, THERE] = ['10.203.77.1', '10.203.77.2'];

/** Only root can make a network namespace. */
const ip = (...args: string[]) => execFileSync('ip', args);
beforeAll(() => {
  ip('netns', 'add', NAMESPACE);
  ip('link', 'add', LINK, 'type', 'veth', 'peer', 'name', 'castellan-f1', 'netns', NAMESPACE);
  ip('addr', 'add', `${HERE}/30`, 'dev', LINK);
  ip('link', 'set', LINK, 'up');
  ip('-n', NAMESPACE, 'addr', 'add', `${THERE}/30`, 'dev', 'castellan-f1');
  ip('-n', NAMESPACE, 'link', 'set', 'castellan-f1', 'up');
  ip('-n', NAMESPACE, 'link', 'set', 'lo', 'up');
});
afterAll(() => void ip('netns', 'delete', NAMESPACE));

testFault({
  title: 'The network between service and database is cut for 15 s: nothing comes through, and nobody says so',
  times: 5,
  plan: { cluster: { network: { namespace: NAMESPACE, address: THERE } } },
  provoke: async () => {
    ip('-n', NAMESPACE, 'link', 'set', 'castellan-f1', 'down');
    await delay(LASTS_MS);
    ip('-n', NAMESPACE, 'link', 'set', 'castellan-f1', 'up');
  },
});
