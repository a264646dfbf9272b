import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVERYTHING_TOUCHED, touchedLists } from '../store/change.js';
import { TouchLog } from './touch-log.js';

const ROOM = 6;

test('a touch is never missed, and what was not touched is known as long as the log remembers', () => {
  const touches = fc.oneof(
    { weight: 8, arbitrary: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant('all' as const) },
  );
  const sources = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 9 });
  fc.assert(
    fc.property(fc.array(touches, { maxLength: 12 }), fc.nat(12), sources, (history, since, asked) => {
      const log = new TouchLog(ROOM);
      let moment = log.now();
      for (const [index, touched] of history.entries()) {
        if (index === since) moment = log.now();
        log.add(touched === 'all' ? EVERYTHING_TOUCHED : touchedLists(touched));
      }
      if (since >= history.length) moment = log.now();
      const later = history.slice(since);
      const isTouched = later.some((one) => one === 'all' || one.some((source) => asked.includes(source)));
      const isRemembered = later.flat().length <= ROOM;
      const answer = log.isTouchedSince(moment, new Set(asked));
      if (isTouched || isRemembered) expect(answer).toBe(isTouched);
      else expect(answer).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
