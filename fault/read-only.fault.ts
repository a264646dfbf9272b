import { delay } from '../test/support/delay.js';
import { testFault } from './provoke.js';

const LASTS_MS = 5_000;

testFault({
  title: 'The database takes no writes for five seconds (`default_transaction_read_only`)',
  times: 5,
  provoke: async (world) => {
    await world.sql('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    await delay(LASTS_MS);
    await world.sql('alter system reset default_transaction_read_only', 'select pg_reload_conf()');
  },
});
