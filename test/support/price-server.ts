import { type Receiver, startReceiver } from './receiver.js';

export type PriceMode = 'fine' | 'fault' | 'nonsense' | 'silent';

/** A price service on loopback with the interface of the public one. */
export interface PriceServer {
  readonly url: string;
  /** Response by the service's name of a token: `base:0x...` in lower case, `coingecko:ethereum`. */
  readonly coins: Map<string, unknown>;
  /** How it responds: normally, with an error, with invalid data, or not at all. */
  mode: PriceMode;
  /** Chooses the mode for a request with these names; `mode` by default. */
  chooseMode: (names: readonly string[]) => PriceMode;
  /** The names in each request. */
  readonly asked: string[][];
  /** Sets a current price. */
  set(name: string, price: number): void;
  stop(): Promise<void>;
}

export const startPriceServer = async (clock: () => number = Date.now): Promise<PriceServer> => {
  const coins = new Map<string, unknown>();
  const asked: string[][] = [];
  const receiver: Receiver = await startReceiver(({ path }, response) => {
    const names = decodeURIComponent(path.replace('/prices/current/', '')).split(',');
    asked.push(names);
    response.setHeader('content-type', 'application/json');
    const mode = server.chooseMode(names);
    if (mode === 'silent') return;
    if (mode === 'fault') response.writeHead(503).end('{}');
    else if (mode === 'nonsense') response.end('<html>');
    else {
      const known = names.flatMap((name) =>
        coins.has(name.toLowerCase()) ? [[name, coins.get(name.toLowerCase())]] : [],
      );
      response.end(JSON.stringify({ coins: Object.fromEntries(known) }));
    }
  });
  const server: PriceServer = {
    url: receiver.url,
    coins,
    mode: 'fine',
    chooseMode: () => server.mode,
    asked,
    set: (name, price) =>
      void coins.set(name.toLowerCase(), { price, timestamp: Math.floor(clock() / 1000), confidence: 0.99 }),
    stop: () => receiver.stop(),
  };
  return server;
};
