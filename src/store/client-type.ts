import { types } from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;

const parseInt8Array = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number));

/**
 * How column values arrive: bigint as a JavaScript number (fids, event ids and counts stay below 2^53),
 * everything else as `pg` does it (timestamptz as Date, bytea as Buffer).
 */
export const columnTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return Number;
      if (oid === INT8_ARRAY) return parseInt8Array;
    }
    return types.getTypeParser(oid, format as 'text');
  }) as typeof types.getTypeParser,
};
