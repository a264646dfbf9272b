import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Log } from '../log.js';
import { type Component, createLifecycle } from './component.js';

const notes: string[] = [];
const reported: string[] = [];

/** A component that notes what is done with it. @param faults the steps that fail */
const part = (name: string, ...faults: ('start' | 'stop')[]): Component => {
  const step = (kind: 'start' | 'stop') => async () => {
    notes.push(`${kind} ${name}`);
    await turn();
    if (faults.includes(kind)) throw new Error(`${name} does not ${kind}`);
    notes.push(`${name} ${kind}s`);
  };
  return { name, start: step('start'), stop: step('stop') };
};

const log = {
  error: ({ component, err }: { component: string; err: Error }) => void reported.push(`${component}: ${err.message}`),
} as Pick<Log, 'error'>;

const lifecycleOf = (...list: Parameters<typeof createLifecycle>[0]) => {
  notes.length = 0;
  reported.length = 0;
  return createLifecycle(list, log);
};

test('starts one after the other, and stops in reverse order, once', async () => {
  const service = lifecycleOf(part('a'), part('b'), part('c'));
  await service.start();
  expect(notes).toEqual(['start a', 'a starts', 'start b', 'b starts', 'start c', 'c starts']);
  notes.length = 0;
  await service.stop();
  expect(notes).toEqual(['stop c', 'c stops', 'stop b', 'b stops', 'stop a', 'a stops']);
  notes.length = 0;
  await service.stop();
  expect(notes).toEqual([]);
});

test('those of an inner list are started one after the other, and stopped at once', async () => {
  const service = lifecycleOf(part('a'), [part('b'), part('c')], part('d'));
  await service.start();
  expect(notes.filter((note) => note.startsWith('start'))).toEqual(['start a', 'start b', 'start c', 'start d']);
  notes.length = 0;
  await service.stop();
  expect(notes).toEqual(['stop d', 'd stops', 'stop c', 'stop b', 'c stops', 'b stops', 'stop a', 'a stops']);
});

test('what fails to start stops those before it in reverse order, and those after it never start', async () => {
  const service = lifecycleOf(part('a'), [part('b'), part('c', 'start'), part('d')], part('e'));
  await expect(service.start()).rejects.toThrow('c does not start');
  expect(notes).toEqual([
    ...['start a', 'a starts', 'start b', 'b starts', 'start c'],
    ...['stop b', 'b stops', 'stop a', 'a stops'],
  ]);
  notes.length = 0;
  await service.stop();
  expect(notes).toEqual([]);
});

test('what runs since it was built is stopped in its place, even if a start failed before it', async () => {
  const built = (name: string): Component => ({ name, stop: part(name).stop });
  const list = [built('a'), part('b', 'start'), built('c'), part('d')];
  await expect(lifecycleOf(...list).start()).rejects.toThrow('b does not start');
  expect(notes).toEqual(['start b', 'stop c', 'c stops', 'stop a', 'a stops']);
  await lifecycleOf(...list).stop();
  expect(notes).toEqual(['stop c', 'c stops', 'stop a', 'a stops']);
});

test('what fails to stop does not keep the others from it; the first error is thrown at the end', async () => {
  const service = lifecycleOf(part('a'), part('b', 'stop'), [part('c'), part('d', 'stop')], { name: 'e' });
  await service.start();
  notes.length = 0;
  await expect(service.stop()).rejects.toThrow('d does not stop');
  expect(notes).toEqual(['stop d', 'stop c', 'c stops', 'stop b', 'stop a', 'a stops']);
  expect(reported).toEqual(['d: d does not stop', 'b: b does not stop']);
});

test('the error of a start is thrown, whatever the stops say', async () => {
  const service = lifecycleOf(part('a', 'stop'), part('b', 'start'));
  await expect(service.start()).rejects.toThrow('b does not start');
  expect(reported).toEqual(['a: a does not stop']);
});
