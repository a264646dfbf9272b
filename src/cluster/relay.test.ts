import { expect, test } from 'vitest';
import type { PrimaryMessage } from './message.js';
import { Relay } from './relay.js';

test('all workers are told, and the sender waits only for those that answer requests', () => {
  const relay = new Relay();
  const received = new Map<number, PrimaryMessage[]>();
  const join = (id: number, isAwaited: boolean) => {
    const messages: PrimaryMessage[] = [];
    received.set(id, messages);
    const worker = { id, isAwaited, send: (message: PrimaryMessage) => void messages.push(message) };
    relay.join(worker);
    return worker;
  };
  const sender = join(1, true);
  join(2, true);
  join(3, false);
  relay.broadcast(sender, 7, { latest: 5 });
  expect(received.get(3)).toEqual([{ type: 'broadcast', id: 1, content: { latest: 5 } }]);
  expect(received.get(1)).toEqual([]);
  relay.acknowledge(2, 1);
  expect(received.get(1)).toEqual([{ type: 'delivered', id: 7 }]);
  relay.acknowledge(3, 1);
  relay.leave(2);
  relay.broadcast(sender, 8, { latest: 6 });
  expect(received.get(3)).toHaveLength(2);
  expect(received.get(1)?.[1]).toEqual({ type: 'delivered', id: 8 });
});
