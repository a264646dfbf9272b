import { Worker } from 'node:worker_threads';

/**
 * Starts a verification thread.
 * From the sources (tests, tsx) the thread first registers tsx itself: in Node 20 a thread does not take over the
 * module hooks of its process, and tsx leaves threads alone when it is given with `--import`.
 */
export function startVerifyThread(): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./verify-worker.js', import.meta.url));
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./verify-worker.ts', import.meta.url).href);
  return new Worker(`import(${tsx}).then(({ register }) => { register(); return import(${entry}); });`, { eval: true });
}
