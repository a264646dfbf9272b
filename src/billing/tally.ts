import type { UsageBatch } from '../store/usage.js';
import type { Call } from './meter.js';

const DAY_MS = 86_400_000;
/** Organizations, keys, operations and days of use that wait for the database; some 30 MB. */
const MOST_ROWS = 100_000;

/** @param day since 1970. @returns 2026-11-20 */
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

interface Row {
  readonly call: Call;
  /** Days since 1970, UTC. */
  readonly day: number;
  calls: number;
  units: number;
}

/** A batch on its way to the database, with what each organization used in it. */
export interface Written {
  readonly batch: UsageBatch;
  readonly units: ReadonlyMap<string, number>;
}

/** Use that is counted and not yet written: by organization, UTC day, key and operation. */
export class Tally {
  readonly #processId: string;
  #rows = new Map<string, Row>();
  /** The rows that were counted in last, by key and operation: found without making a text of all four. */
  #latest = new Map<string, Map<string, Row>>();
  #sequence = 0;
  #lost = 0;

  constructor(processId: string) {
    this.#processId = processId;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** @param now Unix milliseconds. @returns false when there is no room: the call is not counted */
  add(call: Call, now: number): boolean {
    const day = Math.floor(now / DAY_MS);
    const ofKey = this.#latest.get(call.keyId);
    const latest = ofKey?.get(call.operation);
    if (latest !== undefined && latest.day === day && latest.call.organizationId === call.organizationId) {
      latest.calls++;
      latest.units += call.units;
      return true;
    }
    const key = `${call.keyId} ${call.operation} ${day} ${call.organizationId}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size >= MOST_ROWS) {
        this.#lost += call.units;
        return false;
      }
      row = { call, day, calls: 0, units: 0 };
      this.#rows.set(key, row);
    }
    row.calls++;
    row.units += call.units;
    if (ofKey === undefined) this.#latest.set(call.keyId, new Map([[call.operation, row]]));
    else ofKey.set(call.operation, row);
    return true;
  }

  /** Begins anew. @returns everything counted so far, as the next batch of this process */
  take(now: number): Written {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#latest = new Map();
    const units = new Map<string, number>();
    for (const { call, units: used } of rows) {
      units.set(call.organizationId, (units.get(call.organizationId) ?? 0) + used);
    }
    const days = new Map([...new Set(rows.map(({ day }) => day))].map((day) => [day, dateOf(day)]));
    const batch = {
      processId: this.#processId,
      sequence: ++this.#sequence,
      writtenAt: new Date(now),
      rows: rows.map(({ call, day, calls, units: used }) => ({
        organizationId: call.organizationId,
        day: days.get(day) as string,
        keyId: call.keyId,
        operation: call.operation,
        calls,
        units: used,
      })),
    };
    return { batch, units };
  }

  /** @returns units that there was no room for since it was last asked */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }
}
