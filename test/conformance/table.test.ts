import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/api/operation-list.js';
import { contractOperations } from '../support/contract-operation.js';
import { type Network, startNetwork } from '../support/network.js';
import { caseList } from './case-list.js';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const tried = Object.values(caseList).flatMap((cases) => cases.map(({ id }) => id));

test('every operation of the contract that is answered is tried by one case', () => {
  const built = new Set(operations.map(({ id }) => id));
  const answered = contractOperations.map(({ id }) => id).filter((id) => built.has(id));
  expect([...tried].sort()).toEqual(answered.sort());
});

test('what is not provoked or sent says why, in a sentence', () => {
  for (const cases of Object.values(caseList)) {
    for (const { beyond = {}, unsent = {} } of cases) {
      for (const reason of [...Object.values(beyond), ...Object.values(unsent)])
        expect(reason).toMatch(/^[A-Z].{20,}\.(ts\.)?$/);
    }
  }
});
