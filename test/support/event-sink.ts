import { expect } from 'vitest';
import { openStream, type StreamClient } from './event-stream.js';
import { NatsServer, type StoredMessage } from './nats.js';
import { type Network, startNetwork } from './network.js';
import { seedBasics } from './seed.js';

/** What the tests of a file have started. */
export const running: { stop(): unknown }[] = [];
export const stopAll = async (): Promise<void> => {
  for (const one of running.splice(0).reverse()) await one.stop();
};

/** @returns a server that is stopped after the test; it must be started */
export const makeNats = async (...options: Parameters<typeof NatsServer.make>): Promise<NatsServer> => {
  const server = await NatsServer.make(...options);
  running.push(server);
  return server;
};

/** Starts a service with a broker, in which accounts act. */
export const startService = async (sink: string, ...[environment, ...others]: Parameters<typeof startNetwork>) => {
  const network = await startNetwork({ CASTELLAN_EVENT_SINK: sink, ...environment }, ...others);
  running.push(network);
  const seeded = await seedBasics((items) => network.app.core.ingest.submit(items, { source: 'hub', announce: true }));
  return { network, seeded };
};

export const metric = async ({ app }: Network, name: string): Promise<number | undefined> =>
  (await app.services.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;

/** @returns what the broker never gets, by reason */
export const skipped = async ({ app }: Network): Promise<Record<string, number>> => {
  const counted = await app.services.metrics.registry.getSingleMetric('castellan_event_sink_skipped_total')?.get();
  return Object.fromEntries(counted?.values.map(({ labels, value }) => [labels.reason, value]) ?? []);
};

/** @returns a stream that reads everything from the beginning of the log */
export const readLog = (network: Network): Promise<StreamClient> =>
  openStream(`${network.url}/v2/social/stream/?since=0`, { 'x-api-key': network.apiKey });

export const bodies = (messages: readonly StoredMessage[]) => messages.map(({ body }) => body);
/** What events of streams and messages have in common, whenever they are rendered: numbers of followers may differ. */
export const idsOf = (events: StreamClient['events']): string[] => events.map(({ id, type }) => `${id} ${type}`);
export const sentIds = async (server: NatsServer): Promise<string[]> => idsOf(bodies(await server.messages()));

let counter = 0;
/** Erin casts, until both a stream and the broker have it. @returns all events that the log has */
export const settle = async ({ network, seeded }: Awaited<ReturnType<typeof startService>>, server: NatsServer) => {
  const client = await readLog(network);
  const text = `the end ${counter++}`;
  await seeded.send(seeded.erin.cast({ text }));
  await expect.poll(() => client.events.at(-1)?.data.text).toBe(text);
  await expect.poll(async () => (await server.messages()).at(-1)?.body.data.text).toBe(text);
  client.close();
  return client.events;
};
