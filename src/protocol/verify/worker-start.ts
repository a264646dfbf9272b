import { Worker } from 'node:worker_threads';

const running = new Set<Worker>();

/**
 * Ends all verification threads of this process, even busy ones. To be called before `process.exit`, which would crash
 * them.
 */
export const endVerifyThreads = async (): Promise<void> => {
  await Promise.all(
    [...running].map((worker) => {
      // Otherwise its pool would start a new thread.
      worker.removeAllListeners('exit');
      return worker.terminate();
    }),
  );
  running.clear();
};

/**
 * Starts a verification thread. When run from the sources (tests, tsx) the thread registers tsx itself: in Node 20 a
 * thread does not inherit the module hooks of its process, and tsx given with `--import` ignores threads.
 */
export const startVerifyThread = (): Worker => {
  const worker = spawn();
  running.add(worker);
  worker.once('exit', () => running.delete(worker));
  return worker;
};

const spawn = (): Worker => {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url));
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  return new Worker(`import(${tsx}).then(({ register }) => { register(); return import(${entry}); });`, { eval: true });
};
