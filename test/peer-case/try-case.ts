import { beforeAll, describe, expect, test } from 'vitest';
import type { Cases, Front } from './front.js';
import { agrees, expectedOf, isTried, SURFACES, type Surface, type TriedRow } from './peer-case.js';

/** Registers a test for each case of the groups, which are tried one after the other. */
export const tryCases = (groups: readonly Cases[], front: () => Front): void => {
  for (const group of groups)
    describe.skipIf(!group.rows.some(isTried))(`${group.peer} ${group.file}`, () => {
      let state: unknown;
      beforeAll(async () => {
        state = await group.state(front());
      });
      /** @returns null if the call is not there */
      const answerOf = async (row: TriedRow<unknown>, surface: Surface): Promise<string | null> => {
        const { show } = row;
        const ask = {
          name: row.call,
          request: (await row.request?.(state, surface)) ?? {},
          next: row.next?.(state),
          headers: row.headers?.(state),
          show: show && ((body: unknown) => show(body, state)),
        };
        return front().has(ask, surface) ? front().ask(ask, surface) : null;
      };
      for (const [index, row] of group.rows.entries()) {
        if (!isTried(row)) continue;
        test(`${group.id}-${index + 1}: ${row.title}`, async () => {
          for (const surface of SURFACES) {
            const expected = expectedOf(group, row, surface);
            if (expected === null && row.run !== undefined) continue;
            const answer = row.run === undefined ? await answerOf(row, surface) : await row.run(state, surface);
            expect({ surface, answer }).toEqual({ surface, answer: agrees(answer, expected) ? answer : expected });
          }
        });
      }
    });
};
