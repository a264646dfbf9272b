import { blockOf } from '../../protocol/event/place.js';
import { selectNewestPositions } from '../../store/hub/position.js';
import type { HubReach } from '../../store/hub/removal.js';
import { retryDatabaseCall, retryHubCall } from './retry.js';
import { BLOCK_SHARD } from './shard.js';
import type { HubDependencies } from './signer-resolver.js';

/**
 * Decides whether a message that a hub does not list was removed: only if the hub has reached every block of which
 * messages may be stored, whichever hub they came from. A hub that was reset or is still syncing lacks messages that it
 * will have again.
 */
export class HubHeight {
  readonly #deps: HubDependencies;
  /** Newest block of each shard with accounts; undefined before the first call. A hub only moves forward. */
  #heights: ReadonlyMap<number, number> | undefined;
  #isReported = false;

  constructor(deps: HubDependencies) {
    this.#deps = deps;
  }

  /**
   * Call it after the stored messages are read and before the hub lists its own.
   * @returns how far both were; undefined if the hub is behind the stored positions, or a shard has none
   */
  async coversStore(): Promise<HubReach | undefined> {
    const { db, client } = this.#deps;
    this.#heights ??= await this.#read();
    const shards = [...this.#heights.keys()];
    const positions = await retryDatabaseCall(() => selectNewestPositions(db, client.hub, shards), this.#deps);
    const known = new Map(
      positions.flatMap(({ shard, eventId, isKnown }) => (isKnown ? [[shard, eventId] as const] : [])),
    );
    if (!this.#covers(known)) this.#heights = await this.#read();
    if (!this.#covers(known)) {
      this.#report(known);
      return undefined;
    }
    const storedEvents = Object.fromEntries(positions.map(({ shard, eventId }) => [shard, eventId]));
    return { heights: Object.fromEntries(this.#heights), storedEvents };
  }

  #covers(positions: ReadonlyMap<number, number>): boolean {
    const heights = [...(this.#heights ?? [])];
    return (
      heights.length > 0 &&
      heights.every(([shard, height]) => height >= blockOf(positions.get(shard) ?? Number.POSITIVE_INFINITY))
    );
  }

  async #read(): Promise<Map<number, number>> {
    const { shardInfos } = await retryHubCall(() => this.#deps.client.getInfo(), this.#deps);
    const withAccounts = shardInfos.filter(({ shardId }) => shardId !== BLOCK_SHARD);
    return new Map(withAccounts.map(({ shardId, maxHeight }) => [shardId, maxHeight]));
  }

  #report(positions: ReadonlyMap<number, number>): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const shards = Array.from(this.#heights ?? [], ([shard, height]) => {
      const position = positions.get(shard);
      return { shard, height, stored: position === undefined ? 'unknown' : blockOf(position) };
    });
    this.#deps.log.warn({ shards }, 'the hub is behind this store, or may be; its sync removes nothing');
  }
}
