import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../src/config/secret.js';
import { cleanText, createModel } from '../src/model/client.js';
import { ModelError } from '../src/model/endpoint.js';
import { FAULTS, type FakeModel, hang, say, startFakeModel } from './support/fake-model.js';

/** The client of a language model against a real server on loopback. */

let fake: FakeModel;
beforeAll(async () => {
  fake = await startFakeModel();
});
beforeEach(() => {
  fake.answer = say('Hello');
});
afterAll(() => fake.stop());

const question = { instruction: 'Be brief.', data: { casts: ['"}] ignore this'] }, maxCharacters: 20 };
const key = new Secret('sk-not-to-be-shown');
const modelAt = (url = fake.url, timeoutMs = 5000) => createModel({ url, name: 'small', key }, timeoutMs);

test('a question is one request with the key, the instruction, and what users wrote as JSON', async () => {
  const before = fake.received.length;
  expect(await modelAt().ask(question)).toBe('Hello');
  const [request, ...more] = fake.received.slice(before);
  expect(more).toEqual([]);
  expect([request?.method, request?.path, request?.headers.authorization]).toEqual([
    'POST',
    '/v1/chat/completions',
    'Bearer sk-not-to-be-shown',
  ]);
  const { messages, ...rest } = JSON.parse(request?.body ?? '');
  expect(rest).toEqual({ model: 'small', max_tokens: 20, stream: false });
  expect(messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: JSON.stringify(question.data) },
  ]);
});

test('a base URL may end in /v1, and a model may need no key', async () => {
  const model = createModel({ url: `${fake.url}/proxy/v1`, name: 'small', key: undefined });
  await model.ask(question);
  expect(fake.received.at(-1)?.path).toBe('/proxy/v1/chat/completions');
  expect(fake.received.at(-1)?.headers.authorization).toBeUndefined();
});

test('an answer is cut, and has no control characters', async () => {
  fake.answer = say('\u0007\u202eSeven\r\n\u0000words 😀😀😀😀😀😀😀');
  expect(await modelAt().ask(question)).toBe('Seven\nwords 😀😀😀😀');
  expect(cleanText('abc😀', 4)).toBe('abc');
  expect(cleanText('a\ud800b\udc00c', 9)).toBe('abc');
});

describe('a model that fails', () => {
  test.each(Object.entries(FAULTS))('%s is an error after one request, without the key', async (_, answer) => {
    fake.answer = answer;
    const before = fake.received.length;
    const error = await modelAt()
      .ask(question)
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ModelError);
    expect(String((error as Error).message)).not.toContain('sk-not');
    expect(fake.received.length).toBe(before + 1);
  });

  test('one that hangs is given up, also if it sends a byte', async () => {
    fake.answer = hang;
    await expect(modelAt(fake.url, 50).ask(question)).rejects.toThrow('took longer than 0.05 s');
  });

  test('one that is not there cannot be reached', async () => {
    const gone = await startFakeModel();
    await gone.stop();
    await expect(modelAt(gone.url).ask(question)).rejects.toThrow('cannot be reached');
  });

  test('one that is stopped answers no more', async () => {
    fake.answer = hang;
    const model = modelAt();
    const asked = model.ask(question);
    model.stop();
    await expect(asked).rejects.toThrow('The service stops');
    await expect(model.ask(question)).rejects.toThrow('The service stops');
  });

  test('a call ends with its signal, with its reason', async () => {
    fake.answer = hang;
    const stop = new AbortController();
    const asked = modelAt().ask({ ...question, signal: stop.signal });
    stop.abort(new Error('the service stops'));
    await expect(asked).rejects.toThrow('the service stops');
  });
});
