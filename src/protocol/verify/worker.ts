import { parentPort } from 'node:worker_threads';
import { verifyWire } from './verify.js';
import { packAnswer, unpackJob, type VerifyJob } from './batch.js';

// The entry of a verification thread. Nothing here imports @farcaster/core: it takes ten times as long to load as
// everything that verification needs.
parentPort?.on('message', (job: VerifyJob) => {
  const verdicts = unpackJob(job).map((wire) => verifyWire(wire, job.options));
  const answer = packAnswer(job.id, verdicts);
  parentPort?.postMessage(answer, [answer.codes.buffer]);
});
