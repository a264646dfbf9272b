import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../error.js';
import { type SignatureBackend, signatureVerifier } from '../signature.js';
import type { Verdict } from '../verification-result.js';
import { type VerifyOptions, verifyWire } from './verify.js';
import { packJob, unpackAnswer, type VerifyAnswer } from './batch.js';
import { startVerifyThread } from './worker-start.js';

export interface VerifyPoolOptions extends Pick<VerifyOptions, 'network' | 'backend'> {
  /** Worker threads, started with the first messages; 0 verifies in the calling thread, in slices between which events are handled. */
  readonly threads: number;
  readonly log?: { warn(details: object, message: string): void } | undefined;
}

export interface VerifyPool {
  /**
   * Checks wire bytes of `Message`s by the clock of this call.
   * @returns a verdict for each, in order
   * @throws AppError kind `unavailable` after `close`
   */
  verify(
    wires: readonly Uint8Array[],
    options?: Pick<VerifyOptions, 'chainClaims' | 'isSubmission'>,
  ): Promise<Verdict[]>;
  /** Waits for what was given to `verify`, then ends the threads. */
  close(): Promise<void>;
  /** Which Ed25519 code runs. */
  readonly backend: SignatureBackend;
}

interface Task {
  readonly id: number;
  readonly wires: readonly Uint8Array[];
  readonly options: VerifyOptions;
  crashes: number;
  done(verdicts: Verdict[]): void;
}

interface Thread {
  worker: Worker;
  /** What it was given and has not answered, oldest first. */
  readonly tasks: Map<number, Task>;
  /** Deaths since its last answer. */
  deaths: number;
}

/** Messages of a task: a few milliseconds of work, so that threads end a batch together. */
const TASK_SIZE = 128;
/** Tasks that a thread holds at once: one in work, one waiting. */
const TASKS_PER_THREAD = 2;
/** Messages verified in the calling thread before events are handled again, about a millisecond. */
const INLINE_SLICE = 16;
/** A thread that dies this often in a row without an answer is not started again. */
const MAX_DEATHS = 3;

/** Verifies batches of messages in worker threads, so that the calling thread stays free. */
export function createVerifyPool({ threads, log, network, backend }: VerifyPoolOptions): VerifyPool {
  const pool: Thread[] = [];
  const queue: Task[] = [];
  const pending = new Set<Promise<unknown>>();
  let inline = Promise.resolve();
  let nextId = 0;
  let isClosed = false;

  let isStarted = false;

  /** Most commands verify nothing: threads that would only load their code and end are not started for them. */
  function startThreads(): void {
    if (isStarted) return;
    isStarted = true;
    for (let index = 0; index < threads; index++) {
      const thread: Thread = { worker: startVerifyThread(), tasks: new Map(), deaths: 0 };
      pool.push(thread);
      attend(thread);
    }
  }

  function attend(thread: Thread): void {
    let cause: unknown;
    thread.worker.on('message', (answer: VerifyAnswer) => {
      thread.deaths = 0;
      const task = thread.tasks.get(answer.id);
      thread.tasks.delete(answer.id);
      task?.done(unpackAnswer(answer));
      feed();
    });
    thread.worker.on('error', (error) => {
      cause = error;
    });
    thread.worker.on('exit', (code) => {
      if (!isClosed || thread.tasks.size > 0) bury(thread, code, cause);
    });
  }

  /** Replaces a dead thread. The task it was at may have killed it: a second time that one is verified here. */
  function bury(thread: Thread, code: number, cause: unknown): void {
    thread.deaths++;
    log?.warn({ code, err: cause, tasks: thread.tasks.size }, 'a verification thread died');
    const orphans = [...thread.tasks.values()];
    thread.tasks.clear();
    const [current] = orphans;
    if (current) current.crashes++;
    queue.unshift(...orphans);
    if (thread.deaths < MAX_DEATHS) {
      thread.worker = startVerifyThread();
      attend(thread);
    } else {
      log?.warn({ deaths: thread.deaths }, 'a verification thread is given up');
      pool.splice(pool.indexOf(thread), 1);
    }
    feed();
  }

  function feed(): void {
    for (let task = queue[0]; task !== undefined; task = queue[0]) {
      if (task.crashes > 1 || pool.length === 0) {
        queue.shift();
        const { wires, options, done } = task;
        // One after the other: side by side their slices would run in one go.
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
  }

  function enqueue(wires: readonly Uint8Array[], options: VerifyOptions): Promise<Verdict[]> {
    return new Promise((done) => {
      queue.push({ id: nextId++, wires, options, crashes: 0, done });
    });
  }

  async function verifyAll(wires: readonly Uint8Array[], options: VerifyOptions): Promise<Verdict[]> {
    const parts: Promise<Verdict[]>[] = [];
    for (let start = 0; start < wires.length; start += TASK_SIZE) {
      parts.push(enqueue(wires.slice(start, start + TASK_SIZE), options));
    }
    startThreads();
    feed();
    return (await Promise.all(parts)).flat();
  }

  return {
    backend: signatureVerifier(backend).backend,
    verify(wires, options = {}) {
      if (isClosed) return Promise.reject(new AppError('unavailable', 'Unavailable', 'The service is stopping.'));
      const result = verifyAll(wires, { ...options, network, backend, now: Date.now() });
      pending.add(result);
      return result.finally(() => pending.delete(result));
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(pending);
      await Promise.all(pool.map(({ worker }) => worker.terminate()));
    },
  };
}

async function verifyInline(wires: readonly Uint8Array[], options: VerifyOptions): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const wire of wires) {
    if (verdicts.length % INLINE_SLICE === INLINE_SLICE - 1) await yieldToEvents();
    verdicts.push(verifyWire(wire, options));
  }
  return verdicts;
}
