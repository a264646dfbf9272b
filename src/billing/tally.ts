import type { UsageBatch, UsageRow } from '../store/usage.js';
import type { Call } from './meter.js';

const DAY_MS = 86_400_000;
/** Organizations, keys, operations and days of use that wait for the database; some 30 MB. */
const MOST_ROWS = 100_000;

/** @param day since 1970. @returns 2026-11-20 */
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

interface Row {
  /** The first that was counted in it. */
  readonly call: Call;
  /** Days since 1970, UTC. */
  readonly day: number;
  /** Since the last batch. */
  calls: number;
  units: number;
}

/** A batch on its way to the database. */
export interface Written {
  readonly batch: UsageBatch;
  /** What each organization used in it. */
  readonly units: ReadonlyMap<string, number>;
  /** What was used of each operation in it. */
  readonly unitsOfOperations: ReadonlyMap<string, number>;
}

const addTo = (sums: Map<string, number>, key: string, units: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + units);
};

/**
 * Use that is counted and not yet written: by organization, UTC day, key and operation. Rows stay for the next batch: who
 * called in the last second calls in the next one too.
 */
export class Tally {
  readonly #processId: string;
  readonly #rows = new Map<string, Row>();
  /** The rows that were counted in last, by operation and key: found without making a text of all four. */
  readonly #latest = new Map<string, Map<string, Row>>();
  #isEmpty = true;
  #sequence = 0;
  #lost = 0;

  constructor(processId: string) {
    this.#processId = processId;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** @param now Unix milliseconds. @returns false when there is no room: the call is not counted */
  add(call: Call, now: number): boolean {
    const day = Math.floor(now / DAY_MS);
    const latest = this.#latest.get(call.operation)?.get(call.keyId);
    const isSame = latest !== undefined && latest.day === day && latest.call.organizationId === call.organizationId;
    const row = isSame ? latest : this.#find(call, day);
    if (row === undefined) {
      this.#lost += call.units;
      return false;
    }
    row.calls++;
    row.units += call.units;
    this.#isEmpty = false;
    return true;
  }

  /** Begins anew. @returns everything counted so far, as the next batch of this process */
  take(now: number): Written {
    const units = new Map<string, number>();
    const unitsOfOperations = new Map<string, number>();
    const days = new Map<number, string>();
    const rows: UsageRow[] = [];
    for (const [key, row] of this.#rows) {
      const { call, day, calls } = row;
      if (calls === 0) {
        this.#forget(key, row);
        continue;
      }
      const { organizationId, keyId, operation } = call;
      const date = days.get(day) ?? dateOf(day);
      days.set(day, date);
      rows.push({ organizationId, day: date, keyId, operation, calls, units: row.units });
      addTo(units, organizationId, row.units);
      addTo(unitsOfOperations, operation, row.units);
      row.calls = 0;
      row.units = 0;
    }
    this.#isEmpty = true;
    const batch = { processId: this.#processId, sequence: ++this.#sequence, writtenAt: new Date(now), rows };
    return { batch, units, unitsOfOperations };
  }

  /** @returns units that there was no room for since it was last asked */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** @returns undefined when there is no room for another row */
  #find(call: Call, day: number): Row | undefined {
    const { organizationId, keyId, operation } = call;
    const key = `${keyId} ${operation} ${day} ${organizationId}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size >= MOST_ROWS) return undefined;
      row = { call, day, calls: 0, units: 0 };
      this.#rows.set(key, row);
    }
    const ofOperation = this.#latest.get(operation);
    if (ofOperation === undefined) this.#latest.set(operation, new Map([[keyId, row]]));
    else ofOperation.set(keyId, row);
    return row;
  }

  #forget(key: string, row: Row): void {
    const { keyId, operation } = row.call;
    this.#rows.delete(key);
    const ofOperation = this.#latest.get(operation);
    if (ofOperation?.get(keyId) !== row) return;
    ofOperation.delete(keyId);
    if (ofOperation.size === 0) this.#latest.delete(operation);
  }
}
