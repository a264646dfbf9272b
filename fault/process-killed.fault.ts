import { testFault } from './provoke.js';

// The titles are written out, so that they can be found.
for (const [role, title] of [
  ['api', 'A process that answers requests (role `api`) is killed (`kill -9`), and started again'],
  ['ingest', 'A process that follows the hub (role `ingest`) is killed (`kill -9`), and started again'],
  ['job', 'The process of the jobs (role `job`) is killed (`kill -9`), and started again'],
] as const)
  testFault({
    title,
    times: 100,
    plan: { processes: 'each role' },
    // What it was answering breaks off; a balancer sends the next requests to the other one.
    statuses: role === 'api' ? [0] : [],
    provoke: async (world, n) => {
      const processes = world.processes.filter((one) => one.role === role);
      await world.killAndStart(processes[n % processes.length] as (typeof processes)[0]);
    },
  });
