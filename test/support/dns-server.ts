import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { decode, encode } from 'dns-packet';

/** A DNS server on loopback, over UDP. */
export interface NameServer {
  /** `ip:port`. */
  readonly address: string;
  /** Every query so far: `A rebind.test`. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/**
 * @param names for each name the results of successive address queries; the last one repeats.
 * A name without results gets no response.
 */
export const startNameServer = async (names: Record<string, readonly (readonly string[])[]>): Promise<NameServer> => {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, peer) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    const earlier = asked.filter((one) => one === `${question.type} ${question.name}`).length;
    asked.push(`${question.type} ${question.name}`);
    const turns = names[question.name];
    if (turns?.length === 0) return;
    const addresses = turns?.[Math.min(earlier, turns.length - 1)] ?? [];
    const answers = addresses
      .filter((address) => question.type === (isIPv6(address) ? 'AAAA' : 'A'))
      .map((data) => ({ type: question.type as 'A' | 'AAAA', name: question.name, ttl: 0, data }));
    const NXDOMAIN = 3;
    const flags = turns ? 0 : NXDOMAIN;
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
};
