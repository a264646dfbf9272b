import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../error.js';
import { type SignatureBackend, signatureVerifier } from '../signature.js';
import type { VerificationResult } from '../verification-result.js';
import { decodeResponse, packJob, type VerifyResponse } from './batch.js';
import { type VerifyOptions, verifyWire } from './verify.js';
import { startVerifyThread } from './worker-start.js';

export interface VerifyPoolOptions extends Pick<VerifyOptions, 'network' | 'backend'> {
  /**
   * Number of worker threads, which start with the first messages. With 0 the calling thread verifies, in slices
   * between which it handles events.
   */
  readonly threads: number;
  readonly log?: { warn(details: object, message: string): void } | undefined;
  /** Milliseconds without messages until the threads end; they start again with the next ones. */
  readonly restMs?: number;
}

export interface VerifyPool {
  /**
   * Verifies wire bytes of `Message`s at the time of the call.
   * @returns the results in order
   * @throws AppError kind `unavailable` after `close`
   */
  verify(
    wires: readonly Uint8Array[],
    options?: Pick<VerifyOptions, 'chainClaims' | 'futureTimestamps' | 'isSubmission'>,
  ): Promise<VerificationResult[]>;
  /** Waits for pending verifications, then ends the threads. */
  close(): Promise<void>;
  /** The Ed25519 implementation. */
  readonly backend: SignatureBackend;
}

interface Task {
  readonly id: number;
  readonly wires: readonly Uint8Array[];
  readonly options: VerifyOptions;
  crashes: number;
  done(results: VerificationResult[]): void;
}

interface Thread {
  worker: Worker;
  /** Pending tasks, oldest first. */
  readonly tasks: Map<number, Task>;
  /** Crashes since its last response. */
  consecutiveFailures: number;
}

/** Messages of a task: a few milliseconds of work, so that the threads finish a batch at about the same time. */
const TASK_SIZE = 128;
/** Tasks that are sent to a thread: one that it works on and one that waits. */
const TASKS_PER_THREAD = 2;
/** Messages verified in the calling thread before events are handled: about a millisecond of work. */
const INLINE_SLICE = 16;
/** A thread that crashes this many times without a response is not started again. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** A service at rest keeps no memory for threads. */
const REST_MS = 60_000;

/** Verifies batches of messages in worker threads, so that the calling thread stays free. */
export const createVerifyPool = (options: VerifyPoolOptions): VerifyPool => {
  const { threads, log, network, backend, restMs = REST_MS } = options;
  const pool: Thread[] = [];
  const queue: Task[] = [];
  const pending = new Set<Promise<unknown>>();
  let inline = Promise.resolve();
  let nextId = 0;
  let isClosed = false;

  let isStarted = false;
  let rest: NodeJS.Timeout | undefined;

  /** Threads start on first use, because most commands verify nothing. */
  const startThreads = (): void => {
    if (isStarted) return;
    isStarted = true;
    for (let index = 0; index < threads; index++) {
      const thread: Thread = { worker: startVerifyThread(), tasks: new Map(), consecutiveFailures: 0 };
      pool.push(thread);
      attend(thread);
    }
  };

  const attend = (thread: Thread): void => {
    let cause: unknown;
    thread.worker.on('message', (answer: VerifyResponse) => {
      thread.consecutiveFailures = 0;
      const task = thread.tasks.get(answer.id);
      thread.tasks.delete(answer.id);
      task?.done(decodeResponse(answer));
      feed();
    });
    thread.worker.on('error', (error) => {
      cause = error;
    });
    thread.worker.on('exit', (code) => {
      const isAsked = isClosed || !pool.includes(thread);
      if (!isAsked || thread.tasks.size > 0) replaceDeadThread(thread, code, cause);
    });
  };

  const endThreads = async (): Promise<void> => {
    isStarted = false;
    await Promise.all(pool.splice(0).map(({ worker }) => worker.terminate()));
  };

  /** Replaces a crashed thread. If its task may have crashed it twice, this thread verifies the task. */
  const replaceDeadThread = (thread: Thread, code: number, cause: unknown): void => {
    thread.consecutiveFailures++;
    log?.warn({ code, err: cause, tasks: thread.tasks.size }, 'a verification thread died');
    const orphans = [...thread.tasks.values()];
    thread.tasks.clear();
    const [current] = orphans;
    if (current) current.crashes++;
    queue.unshift(...orphans);
    if (thread.consecutiveFailures < MAX_CONSECUTIVE_FAILURES) {
      thread.worker = startVerifyThread();
      attend(thread);
    } else {
      log?.warn({ consecutiveFailures: thread.consecutiveFailures }, 'a verification thread is given up');
      pool.splice(pool.indexOf(thread), 1);
    }
    feed();
  };

  const feed = (): void => {
    for (let task = queue[0]; task !== undefined; task = queue[0]) {
      if (task.crashes > 1 || pool.length === 0) {
        queue.shift();
        const { wires, options, done } = task;
        // Sequentially, because concurrent slices would run without a pause for events.
        inline = inline.then(async () => done(await verifyInline(wires, options)));
        continue;
      }
      const thread = pool.reduce((least, other) => (other.tasks.size < least.tasks.size ? other : least));
      if (thread.tasks.size >= TASKS_PER_THREAD) return;
      queue.shift();
      thread.tasks.set(task.id, task);
      const job = packJob(task.id, task.wires, task.options);
      thread.worker.postMessage(job, [job.bytes.buffer, job.offsets.buffer]);
    }
  };

  const enqueue = (wires: readonly Uint8Array[], options: VerifyOptions): Promise<VerificationResult[]> =>
    new Promise((done) => {
      queue.push({ id: nextId++, wires, options, crashes: 0, done });
    });

  const verifyAll = async (wires: readonly Uint8Array[], options: VerifyOptions): Promise<VerificationResult[]> => {
    const parts: Promise<VerificationResult[]>[] = [];
    for (let start = 0; start < wires.length; start += TASK_SIZE) {
      parts.push(enqueue(wires.slice(start, start + TASK_SIZE), options));
    }
    startThreads();
    feed();
    return (await Promise.all(parts)).flat();
  };

  return {
    backend: signatureVerifier(backend).backend,
    verify(wires, options = {}) {
      if (isClosed) return Promise.reject(new AppError('unavailable', 'Unavailable', 'The service is stopping.'));
      clearTimeout(rest);
      const result = verifyAll(wires, { ...options, network, backend, now: Date.now() });
      pending.add(result);
      return result.finally(() => {
        pending.delete(result);
        if (pending.size === 0) rest = setTimeout(() => void endThreads(), restMs).unref();
      });
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(pending);
      clearTimeout(rest);
      await endThreads();
    },
  };
};

const verifyInline = async (wires: readonly Uint8Array[], options: VerifyOptions): Promise<VerificationResult[]> => {
  const results: VerificationResult[] = [];
  for (const wire of wires) {
    if (results.length % INLINE_SLICE === INLINE_SLICE - 1) await yieldToEvents();
    results.push(verifyWire(wire, options));
  }
  return results;
};
