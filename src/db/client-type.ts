import { types } from 'pg';

const INT8 = 20;
/** int2[], int4[] and int8[]. */
const INTEGER_ARRAYS: ReadonlySet<number> = new Set([1005, 1007, 1016]);

const parseIntegerArray = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number));

/**
 * Column types: bigint becomes a JavaScript number (fids, event ids and counts stay below 2^53), all others are as in
 * `pg` (timestamptz as Date, bytea as Buffer).
 */
export const columnTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return Number;
      if (INTEGER_ARRAYS.has(oid)) return parseIntegerArray;
    }
    return types.getTypeParser(oid, format as 'text');
  }) as typeof types.getTypeParser,
};
