import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { TypedCommand } from '../terminal/command.js';
import type { ExitResult } from '../terminal/exit-result.js';
import type { OutputEvent } from '../terminal/output.js';

// One JSON value per line, in both directions, over the socket in the data folder.

/** Message of the client: first the command, later possibly its interruption. */
export type ControlRequest =
  | ({ readonly type: 'run'; readonly version: string } & TypedCommand)
  | { readonly type: 'cancel' };

/** Message of the server: events as they occur, then the result. */
export type ControlResponse = OutputEvent | ({ readonly type: 'end' } & ExitResult);

export const send = (socket: Socket, value: ControlRequest | ControlResponse): void => {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
};

/** Calls `take` with each value. Both sides are this program, so an invalid line is a bug. */
export const receive = <Value extends ControlRequest | ControlResponse>(
  socket: Socket,
  take: (value: Value) => void,
): void => {
  createInterface({ input: socket }).on('line', (line) => {
    try {
      take(JSON.parse(line) as Value);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
};
