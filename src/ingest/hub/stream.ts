import type { ClientReadableStream } from '@grpc/grpc-js';
import { toUnixMs } from '../../protocol/time.js';
import { requestSync } from '../../store/backfill.js';
import { isHubAway } from './client.js';
import type { HubIntake } from './event-handler.js';
import type { HubParts } from '../hub-introduction.js';
import type { DisconnectReason, HubMeter } from './meter.js';
import { BatchQueue } from './queue.js';
import { backoff, pause, untilDatabaseAnswers } from './retry.js';
import type { HubSequence, Step } from './sequence.js';
import { syncShardOf } from '../hub-shard.js';
import { type RawHubEvent, readHubEvent } from '../wire.js';
import type { IngestItem } from '../item.js';

/** Events that change nothing move the stored position no more often than this, in milliseconds. */
const IDLE_POSITION_PAUSE = 5_000;

interface StreamParts extends HubParts {
  readonly intake: HubIntake;
  readonly meter: HubMeter;
  /** Milliseconds without any event after which the connection is taken for dead. */
  readonly stallAfter: number;
  /** Called when accounts of the shard must be compared with the hub; the request is stored by then. */
  readonly onGap: () => void;
  /** @returns where to go on, from the database. */
  readonly openSequence: () => Promise<HubSequence>;
}

interface Entry {
  readonly id: number;
  /** Unix milliseconds of the event's block, or of its arrival. */
  readonly at: number;
  readonly items: readonly IngestItem[];
}

/** What is read and stored of a shard since the database was asked for its position. */
interface Session {
  readonly sequence: HubSequence;
  readonly queue: BatchQueue<Entry>;
}

class StallError extends Error {
  override readonly name = 'StallError';
}

/** Reads the events of one shard for as long as the service runs. */
export class ShardStream {
  private readonly shard: number;
  private stream: ClientReadableStream<Buffer> | undefined;
  private positionWritten = 0;
  /** A gap that was seen once, and is believed when the hub's log shows it again. */
  private suspicion = '';
  private failures = 0;
  /** Unix milliseconds: of the newest stored event's block (before any, the first one's), of the newest's arrival. */
  private newestAt = 0;
  private arrivedAt = 0;
  private lagAtLastStore = 0;
  private session: Session | undefined;

  /** @param shardIndex the hub's number; undefined for hubs without shards. */
  constructor(
    private readonly parts: StreamParts,
    private readonly shardIndex: number | undefined,
  ) {
    this.shard = shardIndex ?? 0;
  }

  /** Resolves when the signal is aborted and what was underway is stored or given up. */
  async run(): Promise<void> {
    const { signal, log, meter } = this.parts;
    while (!signal.aborted) {
      this.session ??= await this.openSession();
      const { reason, error } = await this.readOnce(this.session);
      if (signal.aborted) break;
      if (this.isShardWithoutEvents(error)) {
        log.info({ err: error }, 'the hub streams no events of its block shard');
        return;
      }
      if (this.session.queue.failed) this.session = undefined;
      log.warn({ err: error, shard: this.shard, reason, failures: this.failures }, 'the event stream of the hub ended');
      meter.reconnected(this.shard, reason);
      if (reason === 'error' || reason === 'ended') await pause(backoff(this.failures++), signal);
    }
    await this.session?.queue.drain();
  }

  get connected(): boolean {
    return this.stream !== undefined && this.parts.client.isReady;
  }

  /** Unix milliseconds at which the newest event arrived; 0 before the first. */
  get lastEventAt(): number {
    return this.arrivedAt;
  }

  /** Seconds that the store lies behind the hub, as far as is known; undefined before the first event. */
  get lagSeconds(): number | undefined {
    if (this.newestAt === 0) return undefined;
    const isCaughtUp = this.connected && !this.session?.queue.busy;
    return isCaughtUp ? this.lagAtLastStore : (Date.now() - this.newestAt) / 1000;
  }

  /** Snapchain's block shard is listed with the others and streams nothing of its own: its events come on theirs. */
  private isShardWithoutEvents(error: unknown): boolean {
    return this.shardIndex === 0 && this.arrivedAt === 0 && error !== undefined && !isHubAway(error);
  }

  private async openSession(): Promise<Session> {
    const sequence = await this.parts.openSequence();
    return { sequence, queue: new BatchQueue((batch) => this.store(batch), this.parts.signal) };
  }

  private async readOnce(session: Session): Promise<{ reason: DisconnectReason; error?: unknown }> {
    const { client, signal, stallAfter } = this.parts;
    const stream = client.subscribe(this.shardIndex, session.sequence.fromId);
    // The iterator stops listening when it ends, and an error without a listener would end the process.
    stream.on('error', () => undefined);
    const cancel = () => stream.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let isReading = true;
    const watchdog = setTimeout(() => {
      if (isReading) stream.destroy(new StallError(`no event for ${stallAfter} ms`));
      else watchdog.refresh();
    }, stallAfter);
    this.stream = stream;
    try {
      for await (const bytes of stream) {
        isReading = false;
        this.failures = 0;
        const wait = await this.take(bytes as Buffer, session);
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
      this.stream = undefined;
      session.sequence.rejoin();
    }
  }

  /** Takes one event; waits while the batches before it are too many. */
  private async take(bytes: Buffer, { sequence, queue }: Session): Promise<'reread' | undefined> {
    const { meter, intake, log } = this.parts;
    this.arrivedAt = Date.now();
    const event = this.decode(bytes);
    if (!event) return undefined;
    const step = sequence.judge(event.id);
    if (step === 'repeat') {
      meter.repeated(this.shard);
      return undefined;
    }
    if (step !== 'next' && !(await this.believe(step, sequence))) return 'reread';
    sequence.accept(event.id, event.blockEvents);
    const items = intake.read(event);
    if (!items) {
      meter.unknownType(this.shard, event.type);
      log.debug({ type: event.type, id: event.id }, 'an event of an unknown type is passed over');
    }
    const at = event.timestamp > 0 ? toUnixMs(event.timestamp) : this.arrivedAt;
    if (this.newestAt === 0) this.newestAt = at;
    await queue.push({ id: event.id, at, items: items ?? [] });
    return undefined;
  }

  private decode(bytes: Buffer): RawHubEvent | undefined {
    try {
      return readHubEvent(bytes);
    } catch (error) {
      this.parts.meter.garbage(this.shard);
      this.parts.log.warn({ err: error, bytes: bytes.length }, 'the hub sent bytes that are no event');
      return undefined;
    }
  }

  /**
   * A live stream may have left something out; the hub's log is asked once more before it is believed.
   * @returns true when the stream goes on: the gap is real and the accounts will be compared, or it does not matter.
   */
  private async believe(step: Exclude<Step, 'next' | 'repeat'>, sequence: HubSequence): Promise<boolean> {
    const { client, db, log, meter, onGap } = this.parts;
    const suspicion = `${step} after ${sequence.fromId}`;
    if (this.suspicion !== suspicion) {
      this.suspicion = suspicion;
      return false;
    }
    this.suspicion = '';
    if (step === 'count-gap') {
      log.warn({ shard: this.shard }, 'the hub counts more events than its log has; its counts are not looked at');
      sequence.distrustCounts();
      return true;
    }
    log.warn({ shard: this.shard, after: sequence.fromId }, 'events are gone from the hub; comparing its accounts');
    const accounts = syncShardOf(this.parts, { index: this.shardIndex });
    await untilDatabaseAnswers(() => requestSync(db, client.hub, accounts, 'gap'), this.parts);
    meter.gap(this.shard);
    onGap();
    return true;
  }

  private async store(batch: readonly Entry[]): Promise<void> {
    const { client, intake, meter } = this.parts;
    const items = batch.flatMap((entry) => entry.items);
    const newest = batch.at(-1) as Entry;
    const isDue = items.length > 0 || Date.now() - this.positionWritten > IDLE_POSITION_PAUSE;
    if (isDue) {
      const position = { hub: client.hub, shard: this.shard, eventId: Math.max(...batch.map((entry) => entry.id)) };
      await intake.store(items, { source: 'hub', announce: true, position });
      this.positionWritten = Date.now();
    }
    this.newestAt = newest.at;
    this.lagAtLastStore = Math.max(0, (Date.now() - newest.at) / 1000);
    meter.stored(this.shard, batch.length, this.lagAtLastStore);
  }
}
