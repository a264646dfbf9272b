import type { ClientReadableStream } from '@grpc/grpc-js';
import { toUnixMs } from '../../protocol/time.js';
import { requestSync } from '../../store/hub/sync.js';
import type { IngestItem } from '../item.js';
import { type RawHubEvent, readHubEvent, readHubEventHead } from '../wire.js';
import { firstEventOf, isHubUnavailable } from './client.js';
import type { HubEventHandler } from './event-handler.js';
import type { DisconnectReason, HubMeter } from './meter.js';
import { BatchQueue } from './queue.js';
import { backoff, pause, retryDatabaseCall } from './retry.js';
import type { HubSequence, Step } from './sequence.js';
import { syncShardOf } from './shard.js';
import type { HubDependencies } from './signer-resolver.js';

/** Minimum pause in milliseconds between writes of the position for events that change nothing. */
const IDLE_POSITION_PAUSE = 5_000;

interface StreamDependencies extends HubDependencies {
  readonly eventHandler: HubEventHandler;
  readonly meter: HubMeter;
  /** Milliseconds without an event after which the connection is considered dead. */
  readonly stallTimeoutMs: number;
  /** Called when a sync of the shard's accounts has been requested. */
  readonly onGap: () => void;
  /** @returns the position to resume at, from the database */
  readonly openSequence: () => Promise<HubSequence>;
}

interface Entry {
  readonly id: number;
  /** Unix milliseconds of the event's block, or of its arrival. */
  readonly at: number;
  readonly items: readonly IngestItem[];
}

/** Reading state since the position was read from the database. */
interface Session {
  readonly sequence: HubSequence;
  readonly queue: BatchQueue<Entry>;
}

class StallError extends Error {
  override readonly name = 'StallError';
}

/** State of the stream of one shard. */
export interface StreamState {
  /** Number of the shard in the hub; 0 for hubs without shards. */
  readonly shard: number;
  readonly connected: boolean;
  /** Seconds by which the store is behind this shard; undefined before any event. */
  readonly lagSeconds: number | undefined;
  /** Arrival of the newest event, Unix milliseconds; undefined before any event. */
  readonly lastEventAt: number | undefined;
  /** By how many blocks the hub is behind what was stored from it: it was reset, or restored, or is another hub. */
  readonly hubBehind: number;
}

/** Reads the events of one shard as long as the service runs. */
export class ShardStream {
  readonly #deps: StreamDependencies;
  readonly #shardIndex: number | undefined;
  readonly #shard: number;
  #stream: ClientReadableStream<Buffer> | undefined;
  #positionWritten = 0;
  /** A gap that was seen once; it is confirmed if the hub's log shows it again. */
  #suspectedGap = '';
  #failures = 0;
  /**
   * Unix milliseconds: block time of the newest stored event (before any, of the first one), arrival of the newest
   * event.
   */
  #newestAt = 0;
  #arrivedAt = 0;
  #lagAtLastStore = 0;
  #hubBehind = 0;
  #session: Session | undefined;

  /** @param shardIndex number of the shard in the hub; undefined for hubs without shards */
  constructor(deps: StreamDependencies, shardIndex: number | undefined) {
    this.#deps = deps;
    this.#shardIndex = shardIndex;
    this.#shard = shardIndex ?? 0;
  }

  /** Resolves when the signal is aborted and pending batches are stored or abandoned. */
  async run(): Promise<void> {
    const { signal, log, meter } = this.#deps;
    while (!signal.aborted) {
      this.#session ??= await this.#openSession();
      // Beside reading: a hub may take long to say how far it is.
      void this.#compareHeight(this.#session.sequence);
      const { reason, error } = await this.#readOnce(this.#session);
      if (signal.aborted) break;
      if (this.#isShardWithoutEvents(error)) {
        log.info({ err: error }, 'the hub streams no events of its block shard');
        return;
      }
      if (this.#session.queue.failed) this.#session = undefined;
      log.warn(
        { err: error, shard: this.#shard, reason, failures: this.#failures },
        'the event stream of the hub ended',
      );
      meter.reconnected(this.#shard, reason);
      const first = firstEventOf(error);
      if (first !== undefined && this.#session?.sequence.resumeAt(first)) await this.#requestSync(first);
      if (reason === 'error' || reason === 'ended') await pause(backoff(this.#failures++), signal);
    }
    await this.#session?.queue.drain();
  }

  get connected(): boolean {
    return this.#stream !== undefined && this.#deps.client.isReady;
  }

  state(): StreamState {
    return {
      shard: this.#shard,
      connected: this.connected,
      lagSeconds: this.lagSeconds,
      lastEventAt: this.#arrivedAt > 0 ? this.#arrivedAt : undefined,
      hubBehind: this.#hubBehind,
    };
  }

  /** Seconds by which the store is behind the hub; undefined before the first event. */
  get lagSeconds(): number | undefined {
    if (this.#newestAt === 0) return undefined;
    const isCaughtUp = this.connected && !this.#session?.queue.busy;
    return isCaughtUp ? this.#lagAtLastStore : (Date.now() - this.#newestAt) / 1000;
  }

  /** Snapchain lists its block shard with the others, but sends its events in their streams. */
  #isShardWithoutEvents(error: unknown): boolean {
    return this.#shardIndex === 0 && this.#arrivedAt === 0 && error !== undefined && !isHubUnavailable(error);
  }

  async #openSession(): Promise<Session> {
    const sequence = await this.#deps.openSequence();
    return { sequence, queue: new BatchQueue((batch) => this.#store(batch), this.#deps.signal) };
  }

  /** Finds out whether the hub's log ends before what was stored from it, in which case it sends nothing for now. */
  async #compareHeight(sequence: HubSequence): Promise<void> {
    const { height } = sequence;
    const hubHeight = await this.#readHeight();
    // What came meanwhile was compared by itself, and the answer may be from before it.
    if (hubHeight === undefined || sequence.height !== height) return;
    const blocks = Math.max(0, height - hubHeight);
    this.#hubBehind = blocks;
    if (blocks === 0) return;
    sequence.onBehind();
    this.#deps.log.warn(
      { shard: this.#shard, blocks },
      'the hub is behind this store: it was reset or restored, or is another hub',
    );
  }

  /** @returns the newest block of the shard; undefined if the hub does not say */
  async #readHeight(): Promise<number | undefined> {
    try {
      const { shardInfos } = await this.#deps.client.getInfo();
      return shardInfos.find(({ shardId }) => shardId === this.#shardIndex)?.maxHeight;
    } catch {
      // Subscribing says what is wrong.
      return undefined;
    }
  }

  async #readOnce(session: Session): Promise<{ reason: DisconnectReason; error?: unknown }> {
    const { client, signal, stallTimeoutMs } = this.#deps;
    const stream = client.subscribe(this.#shardIndex, session.sequence.fromId);
    // The iterator stops listening when it ends, and an error without a listener would end the process.
    stream.on('error', () => undefined);
    const cancel = () => stream.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let isReading = true;
    const watchdog = setTimeout(() => {
      if (isReading) stream.destroy(new StallError(`no event for ${stallTimeoutMs} ms`));
      else watchdog.refresh();
    }, stallTimeoutMs);
    this.#stream = stream;
    try {
      for await (const bytes of stream) {
        isReading = false;
        this.#failures = 0;
        const wait = await this.#take(bytes as Buffer, session);
        if (wait === 'reread') return { reason: 'reread' };
        isReading = true;
        watchdog.refresh();
      }
      return { reason: 'ended' };
    } catch (error) {
      return { reason: error instanceof StallError ? 'stall' : 'error', error };
    } finally {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', cancel);
      stream.cancel();
      this.#stream = undefined;
      session.sequence.onReconnect();
    }
  }

  /** Queues one event; waits while too many batches are pending. */
  async #take(bytes: Buffer, { sequence, queue }: Session): Promise<'reread' | undefined> {
    const { meter, eventHandler, log } = this.#deps;
    this.#arrivedAt = Date.now();
    const event = this.#decode(bytes);
    // Also an event that cannot be read is one of those that its block counts.
    const head = event ?? readHubEventHead(bytes);
    if (!head) return undefined;
    const step = sequence.classify(head.id, head.timestamp);
    if (!sequence.isBehind) this.#hubBehind = 0;
    if (step === 'repeat') {
      meter.repeated(this.#shard);
      return undefined;
    }
    if (step !== 'next' && !(await this.#confirmGap(step, sequence))) return 'reread';
    sequence.accept(head.id, event?.blockEvents, head.timestamp);
    const items = event ? eventHandler.read(event) : [];
    if (!items) {
      meter.unknownType(this.#shard, head.type);
      log.debug({ type: head.type, id: head.id }, 'an event of an unknown type is passed over');
    }
    const at = head.timestamp > 0 ? toUnixMs(head.timestamp) : this.#arrivedAt;
    if (this.#newestAt === 0) this.#newestAt = at;
    await queue.push({ id: head.id, at, items: items ?? [] });
    return undefined;
  }

  #decode(bytes: Buffer): RawHubEvent | undefined {
    try {
      return readHubEvent(bytes);
    } catch (error) {
      this.#deps.meter.garbage(this.#shard);
      this.#deps.log.warn(
        { err: error, bytes: bytes.length },
        'the hub sent an event that cannot be read; it is left out',
      );
      return undefined;
    }
  }

  /**
   * A live stream may skip events, so the hub's log is read again before a gap is confirmed.
   * @returns true if reading continues: the gap is confirmed and the accounts will be synced, or it is irrelevant
   */
  async #confirmGap(step: Exclude<Step, 'next' | 'repeat'>, sequence: HubSequence): Promise<boolean> {
    const { log } = this.#deps;
    const suspectedGap = `${step} after ${sequence.fromId}`;
    if (this.#suspectedGap !== suspectedGap) {
      this.#suspectedGap = suspectedGap;
      return false;
    }
    this.#suspectedGap = '';
    if (step === 'count-gap') {
      log.warn(
        { shard: this.#shard },
        'the hub counts more events than its log has; its counts are ignored from now on',
      );
      sequence.ignoreCounts();
      return true;
    }
    await this.#requestSync(sequence.fromId);
    return true;
  }

  /** Requests a sync of the shard's accounts, because events before or after this id are missing. */
  async #requestSync(near: number): Promise<void> {
    const { client, db, log, meter, onGap } = this.#deps;
    log.warn({ shard: this.#shard, near }, 'events are missing from the hub; syncing its accounts');
    const accounts = syncShardOf(this.#deps, { index: this.#shardIndex });
    await retryDatabaseCall(() => requestSync(db, client.hub, accounts, 'gap'), this.#deps);
    meter.gap(this.#shard);
    onGap();
  }

  async #store(batch: readonly Entry[]): Promise<void> {
    const { client, eventHandler, meter } = this.#deps;
    const items = batch.flatMap((entry) => entry.items);
    const newest = batch.at(-1) as Entry;
    const isDue = items.length > 0 || Date.now() - this.#positionWritten > IDLE_POSITION_PAUSE;
    if (isDue) {
      const position = { hub: client.hub, shard: this.#shard, eventId: Math.max(...batch.map((entry) => entry.id)) };
      await eventHandler.store(items, { source: 'hub', announce: true, position });
      this.#positionWritten = Date.now();
    }
    this.#newestAt = newest.at;
    this.#lagAtLastStore = Math.max(0, (Date.now() - newest.at) / 1000);
    meter.stored(this.#shard, batch.length, newest.at);
  }
}
