import { DAY_MS } from '../../duration.js';
import type { UsageRow } from '../../store/billing/usage.js';
import { utcDay } from '../plan/period.js';
import type { Call } from './meter.js';

/** Rows that a process may still add before it has written earlier ones. */
export interface RowBudget {
  left: number;
}

type Row = { -readonly [Member in keyof UsageRow]: UsageRow[Member] };

/** @param day days since 1970. @returns 2026-11-20 */
const dateOf = (day: number): string => utcDay(new Date(day * DAY_MS));

/** Usage of one organization since its last batch, by UTC day, operation and key. */
export class UsageBuffer {
  /** By days since 1970, operation and key. Nested maps, because one text key for each call would cost more. */
  #rows = new Map<number, Map<string, Map<string, Row>>>();
  #units = 0;

  /** Compute units in the buffer. */
  get units(): number {
    return this.#units;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** @param now Unix milliseconds. @returns false when the budget has no room for another row: the call is not counted */
  add({ operation, keyId }: Call, units: number, now: number, budget: RowBudget): boolean {
    const day = Math.floor(now / DAY_MS);
    const row = this.#rows.get(day)?.get(operation)?.get(keyId);
    if (row !== undefined) {
      row.calls++;
      row.units += units;
    } else {
      if (budget.left === 0) return false;
      budget.left--;
      this.#insert(day, { day: dateOf(day), keyId, operation, calls: 1, units });
    }
    this.#units += units;
    return true;
  }

  /** Empties the buffer. @returns its rows */
  take(): UsageRow[] {
    const rows = [...this.#rows.values()].flatMap((operations) =>
      [...operations.values()].flatMap((keys) => [...keys.values()]),
    );
    this.#rows = new Map();
    this.#units = 0;
    return rows;
  }

  #insert(day: number, row: Row): void {
    const operations = this.#rows.get(day) ?? new Map<string, Map<string, Row>>();
    this.#rows.set(day, operations);
    const keys = operations.get(row.operation) ?? new Map<string, Row>();
    operations.set(row.operation, keys);
    keys.set(row.keyId, row);
  }
}
