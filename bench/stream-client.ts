import { type ClientRequest, request } from 'node:http';
import { handleParentMessages } from './child.js';

/** Readers of streams, in a separate process. */
export type StreamRequest =
  | {
      readonly open: number;
      /** Address of the stream with its query. */
      readonly url: string;
      readonly apiKey: string;
    }
  /** Waits until the readers have this many events together. */
  | { readonly until: number }
  | 'close';

export interface StreamReport {
  /** Events that all readers together have. */
  readonly events: number;
  /** From the request of the first reader to the last event, in seconds. */
  readonly seconds: number;
}

/** No event for so long: there are no more. */
const QUIET_MS = 3_000;

let began = 0;
let last = 0;
let events = 0;
const readers = new Set<ClientRequest>();

const open = (url: string, apiKey: string): Promise<void> =>
  new Promise((done, fail) => {
    const asked = request(url, { headers: { 'x-api-key': apiKey }, agent: false }, (response) => {
      if (response.statusCode !== 200) fail(new Error(`a stream was answered with ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf('\ndata: '); at >= 0; at = chunk.indexOf('\ndata: ', at + 1)) {
          events += 1;
          last = performance.now();
        }
      });
      response.on('error', () => undefined);
      done();
    });
    asked.on('error', fail);
    asked.end();
    readers.add(asked);
  });

handleParentMessages<StreamRequest, StreamReport>(async (order) => {
  if (order === 'close') {
    for (const reader of readers) reader.destroy();
    readers.clear();
  } else if ('open' in order) {
    began = performance.now();
    events = 0;
    for (let opened = 0; opened < order.open; opened += 1) await open(order.url, order.apiKey);
  } else {
    // Rows of the log without a type that is read make no event.
    while (events < order.until && (events === 0 || performance.now() < last + QUIET_MS))
      await new Promise((done) => setTimeout(done, 5));
  }
  return { events, seconds: (last - began) / 1000 };
});
