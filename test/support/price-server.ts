import { type Receiver, startReceiver } from './receiver.js';

export type PriceMode = 'fine' | 'fault' | 'nonsense' | 'silent';

/** A service on loopback that tells prices as the public one does. */
export interface PriceServer {
  readonly url: string;
  /** By its names for tokens, `base:0x...` in lower case, `coingecko:ethereum`: what it says of each. */
  readonly coins: Map<string, unknown>;
  /** How it answers: as it should, with a fault of its own, with nonsense, or not at all. */
  mode: PriceMode;
  /** How it answers a request for these names; by `mode` at first. */
  judge: (names: readonly string[]) => PriceMode;
  /** The names in each request. */
  readonly asked: string[][];
  /** Sets a price of now. */
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
    const mode = server.judge(names);
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
    judge: () => server.mode,
    asked,
    set: (name, price) =>
      void coins.set(name.toLowerCase(), { price, timestamp: Math.floor(clock() / 1000), confidence: 0.99 }),
    stop: () => receiver.stop(),
  };
  return server;
};
