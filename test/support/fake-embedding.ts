import type { ServerResponse } from 'node:http';
import { startReceiver } from './receiver.js';

/** What an embedding model is asked: the parsed body. */
interface AskedEmbedding {
  readonly model: string;
  readonly input: readonly string[];
}

/** A server with the interface of OpenAI's embeddings, on loopback. */
export interface FakeEmbedding {
  readonly url: string;
  readonly asked: () => AskedEmbedding[];
  /** Writes the whole response; replaced by tests. */
  answer: (asked: AskedEmbedding, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** Subjects with some of the words that are about them: each is a direction of the vectors. */
const SUBJECTS: readonly RegExp[] = [
  /\b(soup|bread|dinner|cook|food|eat)\b/gi,
  /\b(rain|snow|storm|weather|clouds)\b/gi,
  /\b(guitar|song|choir|music|melody)\b/gi,
];

const vectorOf = (text: string): number[] => [0.1, ...SUBJECTS.map((words) => text.match(words)?.length ?? 0)];

/** Answers with vectors by the subjects of the texts, in another order than they came. */
export const embed: FakeEmbedding['answer'] = ({ input }, response) => {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  response.end(JSON.stringify({ object: 'list', data: data.toReversed() }));
};

/** Ways in which a model fails, by name. */
export const FAULTS: Readonly<Record<string, FakeEmbedding['answer']>> = {
  'an overloaded server': (_, response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}'),
  'a broken server': (_, response) => void response.writeHead(500).end('oops'),
  'a redirect': (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  'no JSON': (_, response) => void response.end('<html>'),
  'JSON of another shape': (_, response) => void response.end('[null]'),
  'no vector for a text': (_, response) => void response.end('{"data":[]}'),
  'rows of nothing': (_, response) => void response.end('{"data":[null]}'),
  'a vector of texts': (_, response) => void response.end('{"data":[{"index":0,"embedding":["1","2"]}]}'),
  'a vector without a direction': (_, response) => void response.end('{"data":[{"index":0,"embedding":[0,0,0]}]}'),
  'a vector with a number that is too large': (_, response) =>
    void response.end('{"data":[{"index":0,"embedding":[1e999,0,0]}]}'),
  'a huge answer': (_, response) => void response.end(JSON.stringify('x'.repeat(5_000_000))),
  'a connection that breaks': (_, response) => void response.destroy(),
};

export const startFakeEmbedding = async (): Promise<FakeEmbedding> => {
  const receiver = await startReceiver((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.path !== '/v1/embeddings') return void response.writeHead(404).end('{}');
    fake.answer(JSON.parse(request.body) as AskedEmbedding, response);
  });
  const fake: FakeEmbedding = {
    url: receiver.url,
    asked: () => receiver.received.map(({ body }) => JSON.parse(body) as AskedEmbedding),
    answer: embed,
    stop: () => receiver.stop(),
  };
  return fake;
};
