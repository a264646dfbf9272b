import { describe, expect, test } from 'vitest';
import { isDatabaseUnavailable, isDataError, isReadOnly } from './failure.js';

const withCode = (code: string): Error => Object.assign(new Error('from the driver'), { code });

/** Codes of PostgreSQL's appendix A by their meaning for a message that is being stored. */
const DATA = [
  ['21000', 'two rows of one statement compete'],
  ['22001', 'too long'],
  ['22003', 'out of range'],
  ['22021', 'not in the repertoire of the encoding'],
  ['22P02', 'cannot be read as its type'],
  ['22P05', 'cannot be converted'],
  ['23502', 'not null'],
  ['23505', 'unique'],
  ['23514', 'check constraint'],
  ['44000', 'check option of a view'],
  ['54000', 'too long for an index'],
  ['54001', 'too complex'],
  ['P0001', 'raised by a trigger'],
] as const;

const TRANSIENT_CODES = [
  ['08000', 'connection'],
  ['08006', 'connection failure'],
  ['0A000', 'not supported'],
  ['2200H', 'the sequence of a column has come to its end'],
  ['25006', 'read-only'],
  ['25P02', 'the transaction failed before'],
  ['26000', 'prepared statement is gone'],
  ['28000', 'role'],
  ['28P01', 'password'],
  ['3D000', 'no such database'],
  ['40001', 'serialization'],
  ['40P01', 'deadlock'],
  ['42501', 'permission'],
  ['42703', 'no such column'],
  ['42P01', 'no such table'],
  ['53000', 'resources'],
  ['53100', 'disk full'],
  ['53200', 'out of memory'],
  ['53300', 'too many connections'],
  ['55000', 'not in this state'],
  ['55P03', 'lock not available'],
  ['57014', 'cancelled'],
  ['57P01', 'shutdown'],
  ['57P03', 'starting up'],
  ['58030', 'input or output'],
  ['58P01', 'a file is gone'],
  ['72000', 'snapshot too old'],
  ['F0001', 'lock file'],
  ['P0002', 'no data found'],
  ['XX000', 'internal'],
  ['XX001', 'data corrupted'],
  ['XX002', 'index corrupted'],
] as const;

const SYSTEM = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT'];

describe('isDataFault', () => {
  test.each(DATA)('%s (%s) is the fault of the data', (code) => {
    expect(isDataError(withCode(code))).toBe(true);
  });

  test.each(TRANSIENT_CODES)('%s (%s) says nothing of the data', (code) => {
    expect(isDataError(withCode(code))).toBe(false);
  });

  test.each([
    ...SYSTEM.map(withCode),
    new Error('Connection terminated unexpectedly'),
    new Error('something a later driver says'),
    new TypeError('of our own'),
    'no error at all',
    undefined,
    null,
  ])('%s says nothing of the data', (error) => {
    expect(isDataError(error)).toBe(false);
  });
});

describe('isDatabaseAway', () => {
  const UNAVAILABLE = ['08006', '25006', '28P01', '3D000', '53100', '53300', '57P01', '57P03', ...SYSTEM];

  test.each(UNAVAILABLE)('%s: the same call may succeed later', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  test.each(['22003', '23505', '40001', '42501', '55P03', '57014', 'XX000', 'ENOENT'])('%s: it is there', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(false);
  });
});

test('only 25006 means that a connection is read-only', () => {
  expect([withCode('25006'), withCode('25P02'), new Error('25006')].map(isReadOnly)).toEqual([true, false, false]);
});
