import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Ending } from '../terminal/exit-result.js';
import type { OutputEvent } from '../terminal/output.js';

// One JSON value a line, both ways, over the socket in the data folder.

/** What the typing side says: first the run, later perhaps that it was interrupted. */
export type ControlRequest =
  | { readonly type: 'run'; readonly version: string; readonly command: string; readonly input: unknown }
  | { readonly type: 'cancel' };

/** What the running side says: events as they come, at last one ending. */
export type ControlAnswer = OutputEvent | ({ readonly type: 'end' } & Ending);

export const send = (socket: Socket, value: ControlRequest | ControlAnswer): void => {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
};

/** Calls `take` with each value that arrives. Both sides are this program, so a line that is no JSON is a fault. */
export function receive<Value extends ControlRequest | ControlAnswer>(
  socket: Socket,
  take: (value: Value) => void,
): void {
  createInterface({ input: socket }).on('line', (line) => {
    try {
      take(JSON.parse(line) as Value);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
}
