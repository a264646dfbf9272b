import { parentPort } from 'node:worker_threads';
import { encodeResponse, unpackJob, type VerifyJob } from './batch.js';
import { verifyWire } from './verify.js';

// Entry of a verification thread. Nothing here imports @farcaster/core, which takes ten times as long to load as
// everything that verification needs.
parentPort?.on('message', (job: VerifyJob) => {
  const results = unpackJob(job).map((wire) => verifyWire(wire, job.options));
  const answer = encodeResponse(job.id, results);
  parentPort?.postMessage(answer, [answer.codes.buffer]);
});
