import { testFault } from './provoke.js';

testFault({
  title: 'PostgreSQL restarts, by turns as in a crash',
  times: 100,
  provoke: ({ primary }, n) => primary.restart(n % 2 === 0 ? 'immediate' : 'fast'),
});
