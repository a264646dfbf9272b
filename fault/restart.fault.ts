import { testFault } from './provoke.js';

testFault({
  title: 'PostgreSQL restarts, by turns as in a crash',
  times: 100,
  // What is counted for a key is read and written for each of its requests.
  plan: { environment: { CASTELLAN_RATE_LIMIT_STORE: 'postgres' } },
  provoke: ({ primary }, n) => primary.restart(n % 2 === 0 ? 'immediate' : 'fast'),
});
