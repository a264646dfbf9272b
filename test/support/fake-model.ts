import type { ServerResponse } from 'node:http';
import { type Received, startReceiver } from './receiver.js';

/** What a language model is asked: the parsed body of a chat completion. */
export interface AskedModel {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A server with the interface of OpenAI's chat completions, on loopback. */
export interface FakeModel {
  readonly url: string;
  readonly received: readonly Received[];
  /** The parsed bodies of all requests. */
  readonly asked: () => AskedModel[];
  /** Writes the whole response; replaced by tests. */
  answer: (asked: AskedModel, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Answers with a text. */
export const say = (text: unknown) => (_asked: AskedModel, response: ServerResponse) =>
  void response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: text } }] }));

/** Ways in which a model fails, by name. */
export const FAULTS: Readonly<Record<string, FakeModel['answer']>> = {
  'an overloaded server': (_, response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}'),
  'a broken server': (_, response) => void response.writeHead(500).end('oops'),
  'a redirect': (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  'no JSON': (_, response) => void response.end('<html>'),
  'JSON without a text': (_, response) => void response.end('{"choices": [{"message": {"content": null}}]}'),
  'JSON of another shape': (_, response) => void response.end('[null]'),
  'an empty text': say(' \u0000 \n'),
  'a huge answer': (_, response) => void response.end(JSON.stringify('x'.repeat(1_000_000))),
  'a connection that breaks': (_, response) => void response.destroy(),
};

/** Never answers, or sends a byte now and then. */
export const hang: FakeModel['answer'] = (_, response) => void response.write(' ');

export const startFakeModel = async (): Promise<FakeModel> => {
  const receiver = await startReceiver((request, response) => {
    response.setHeader('content-type', 'application/json');
    model.answer(JSON.parse(request.body) as AskedModel, response);
  });
  const model: FakeModel = {
    url: receiver.url,
    received: receiver.received,
    asked: () => receiver.received.map(({ body }) => JSON.parse(body) as AskedModel),
    answer: say('Hello'),
    stop: () => receiver.stop(),
  };
  return model;
};
