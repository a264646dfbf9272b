import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Recording, recordExamples } from '../scripts/example/record.js';
import { type SampleService, startSampleService } from '../scripts/example/sample-service.js';
import { shapeOf } from '../scripts/example/shape.js';
import { readResponseExamples } from '../src/api/openapi/response-example.js';
import { buildProgram } from './support/castellan.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let service: SampleService;
let recording: Recording;
beforeAll(async () => {
  await buildProgram();
  service = await startSampleService();
  recording = await recordExamples(service);
});
afterAll(() => service?.stop());

test('every operation that has an example of its response answers', () => {
  expect(recording.refused).toEqual([]);
});

test('the responses have the members and types of the examples', async () => {
  const examples = await readResponseExamples();
  expect(Object.keys(recording.examples).sort()).toEqual(Object.keys(examples).sort());
  const changed = Object.entries(examples).flatMap(([id, example]) => {
    const [before, now] = [shapeOf(example), shapeOf(recording.examples[id])];
    const gone = [...before].filter((place) => !now.has(place)).map((place) => `${id}: no ${place} any more`);
    return [...gone, ...[...now].filter((place) => !before.has(place)).map((place) => `${id}: ${place} is new`)];
  });
  expect(changed, 'run `npm run examples`, and look at the difference').toEqual([]);
});

test('no key of the service is in a response', () => {
  const text = JSON.stringify(recording.examples);
  expect(service.secrets.length).toBeGreaterThan(1);
  expect(service.secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
