import cluster, { type Worker } from 'node:cluster';
import { AppError } from '../error.js';
import type { Log } from '../log.js';
import type { PrimaryMessage, WorkerMessage } from './message.js';
import { MetricSum } from './metric-sum.js';
import { Relay } from './relay.js';

/** A worker that ends sooner than this after its start has failed: with each failure, the next start is later. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Failures of a worker in a row after which the service ends, if no other worker has started. */
const MAX_FAILED_STARTS = 5;
/** Exit status of a process whose configuration is wrong: starting it again cannot help. */
const WRONG_CONFIGURATION = 2;
/** After this, a worker is killed. It is a little longer than a worker takes to end by itself. */
const STOP_MS = 12_000;

/** What a worker is started with. */
export interface WorkerPlan {
  readonly role: string;
  /** Variables in addition to those of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A slot for a worker; when its worker ends, another one is started. */
interface WorkerSlot {
  readonly plan: WorkerPlan;
  worker: Worker | undefined;
  isStarted: boolean;
  forkedAt: number;
  /** How often in a row its worker ended soon after its start. */
  failures: number;
  /** Called when its worker has started. */
  onStarted: () => void;
  /** Called when its worker has ended or could not be started. */
  onEnded: () => void;
}

const sendTo = (worker: Worker, message: PrimaryMessage): void => {
  // A worker whose channel is closed has ended or is about to.
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined);
};

/** Starts the workers of a service, replaces those that end, and relays messages between them. */
export class Supervisor {
  readonly metrics: MetricSum;
  /** Rejects when the service cannot go on: a worker could not be started, and has logged why. */
  readonly failed: Promise<never>;
  readonly #log: Log;
  readonly #slots: readonly WorkerSlot[];
  readonly #relay = new Relay();
  readonly #timers = new Set<NodeJS.Timeout>();
  #fail: (error: AppError) => void = () => undefined;
  #state: 'starting' | 'running' | 'stopping' = 'starting';

  /** @param plans the first one is started alone, so that an error that affects all is logged once */
  constructor(plans: readonly WorkerPlan[], log: Log) {
    // Workers accept connections themselves. When the primary hands them out, one that was handed to a worker that has
    // just died is never closed: its client waits forever.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    // Options of the command line would override the variables of a plan, which contain them already.
    cluster.setupPrimary({ args: ['serve'] });
    this.#log = log;
    this.#slots = plans.map((plan) => {
      const listeners = { onStarted: () => undefined, onEnded: () => undefined };
      return { plan, worker: undefined, isStarted: false, forkedAt: 0, failures: 0, ...listeners };
    });
    this.metrics = new MetricSum(() =>
      this.#slots.flatMap(({ worker, isStarted }) =>
        worker && isStarted ? [{ id: worker.id, ask: (id: number) => sendTo(worker, { type: 'collect', id }) }] : [],
      ),
    );
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  /** Resolves when all workers have started, or the first one has during a stop. @throws as `failed` */
  async start(): Promise<void> {
    const [first, ...others] = this.#slots.map((slot) => () => this.#startFirst(slot));
    await first?.();
    // A worker that gets SIGTERM while it starts finishes its start first.
    if (this.#isStopping) return;
    await Promise.race([this.failed, Promise.all(others.map((start) => start()))]);
    if (!this.#isStopping) this.#state = 'running';
  }

  /** Ends all workers, which finish their requests. */
  async stop(): Promise<void> {
    this.#state = 'stopping';
    for (const timer of this.#timers) clearTimeout(timer);
    const running = this.#slots.filter(({ worker }) => worker !== undefined);
    const ended = running.map((slot) => new Promise<void>((resolve) => Object.assign(slot, { onEnded: resolve })));
    const killAll = (signal: NodeJS.Signals) => {
      for (const { worker } of running) worker?.process.kill(signal);
    };
    killAll('SIGTERM');
    const limit = setTimeout(() => killAll('SIGKILL'), STOP_MS);
    await Promise.all(ended);
    clearTimeout(limit);
  }

  get #isStopping(): boolean {
    return this.#state === 'stopping';
  }

  #startFirst(slot: WorkerSlot): Promise<void> {
    const started = new Promise<void>((resolve) => {
      slot.onStarted = resolve;
    });
    this.#fill(slot);
    return Promise.race([this.failed, started]);
  }

  #fill(slot: WorkerSlot): void {
    const worker = cluster.fork(slot.plan.environment);
    Object.assign(slot, { worker, isStarted: false, forkedAt: performance.now() });
    worker.on('message', (message: WorkerMessage) => this.#receive(slot, worker, message));
    worker.on('exit', (code, signal) => this.#ended(slot, worker, code, signal));
    worker.on('error', (error) => {
      this.#log.warn({ err: error, worker: worker.id }, 'a worker has a problem');
      // A process that could not be created emits `error` and never `exit`: its slot would stay empty, and a stop would
      // wait for it forever.
      if (worker.process.pid === undefined && slot.worker === worker) this.#ended(slot, worker, null, null);
    });
  }

  #receive(slot: WorkerSlot, worker: Worker, message: WorkerMessage): void {
    const self = { id: worker.id, send: (answer: PrimaryMessage) => sendTo(worker, answer) };
    if (message.type === 'joined') this.#relay.join({ ...self, isAwaited: message.isAwaited });
    else if (message.type === 'broadcast') this.#relay.broadcast(self, message.id, message.content);
    else if (message.type === 'ack') this.#relay.acknowledge(worker.id, message.id);
    else if (message.type === 'metrics') this.metrics.received(worker.id, message.id, message.metrics);
    else {
      slot.isStarted = true;
      slot.onStarted();
    }
  }

  #ended(slot: WorkerSlot, worker: Worker, code: number | null, signal: string | null): void {
    const { isStarted, forkedAt, plan } = slot;
    this.#relay.leave(worker.id);
    this.metrics.ended(worker.id);
    Object.assign(slot, { worker: undefined, isStarted: false });
    slot.onEnded();
    if (this.#isStopping) return;
    slot.failures = performance.now() - forkedAt < STEADY_MS ? slot.failures + 1 : 0;
    const isHopeless = slot.failures >= MAX_FAILED_STARTS && !this.#slots.some((one) => one.isStarted);
    if (!isStarted && (this.#state === 'starting' || code === WRONG_CONFIGURATION || isHopeless)) {
      const message = `A worker (${plan.role}) could not be started; it says why above.`;
      this.#fail(new WorkerFailedError(message, code ?? 1));
      return;
    }
    const pause = slot.failures < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (slot.failures - 2));
    this.#log.error(
      { worker: worker.id, role: plan.role, pid: worker.process.pid, code, signal, pauseMs: pause },
      'a worker ended; it is replaced',
    );
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#fill(slot);
    }, pause);
    this.#timers.add(timer);
  }
}

/** The service cannot go on without a worker. */
export class WorkerFailedError extends AppError {
  /** Exit status of the worker. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super('unavailable', 'WorkerFailed', message);
    this.exitCode = exitCode;
  }
}
