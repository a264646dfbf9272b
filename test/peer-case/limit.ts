import { fromUnixMs } from '../../src/protocol/time.js';

/** Protocol seconds at which rented units are legacy ones, and at which they are units of 2024. */
export const LEGACY = fromUnixMs(Date.UTC(2024, 7, 28));
export const OF_2024 = fromUnixMs(Date.UTC(2024, 8, 28));

// biome-ignore lint/suspicious/noExplicitAny: the answer over gRPC, or over HTTP
type Limits = any;

const nameOf = (limit: { name: string }): string => limit.name.replace('STORE_TYPE_', '');

/** @returns the stores with what is used of their limits: `CASTS 2 of 5000` */
export const showStores = ({ limits }: Limits, ...names: readonly string[]): string =>
  limits
    .filter((limit: never) => names.length === 0 || names.includes(nameOf(limit)))
    .map((limit: { name: string; used: number; limit: number }) => `${nameOf(limit)} ${limit.used} of ${limit.limit}`)
    .join(', ');

/** @returns the hash of the oldest message of a store */
export const oldestHash = ({ limits }: Limits, name: string): string => {
  const { earliestHash } = limits.find((limit: never) => nameOf(limit) === name);
  return typeof earliestHash === 'string' ? earliestHash : `0x${Buffer.from(earliestHash).toString('hex')}`;
};

/** @returns the numbers of units: legacy ones, those of 2024, those of 2025 */
export const showUnits = ({ unitDetails, units_by_type: byType }: Limits): string => {
  const details: { unitType: number | string; unitSize: number }[] = byType ?? unitDetails;
  const sizeOf = (...types: (number | string)[]) =>
    details.find(({ unitType }) => types.includes(unitType))?.unitSize ?? 0;
  return [sizeOf(0, 'UnitTypeLegacy'), sizeOf(1, 'UnitType2024'), sizeOf(2, 'UnitType2025')].join(' + ');
};
