import type { Socket } from 'node:net';
import { VERSION } from '../../version.js';
import type { TypedCommand } from '../terminal/command.js';
import type { ExitResult } from '../terminal/exit-result.js';
import type { OutputEvent } from '../terminal/output.js';
import { type ControlResponse, receive, send } from './wire.js';

/**
 * Runs a command in the process that holds the data folder.
 * @param print receives each event
 * @param signal interrupts the command, which still returns its result
 */
export const runRemote = (
  socket: Socket,
  typed: TypedCommand,
  print: (event: OutputEvent) => void,
  signal: AbortSignal,
): Promise<ExitResult> =>
  new Promise((resolve) => {
    const lost = { code: 1, message: 'The running service ended before the command did: look at its log.' };
    socket.on('error', () => resolve(lost));
    socket.on('close', () => resolve(lost));
    signal.addEventListener('abort', () => send(socket, { type: 'cancel' }), { once: true });
    receive<ControlResponse>(socket, (answer) => {
      if (answer.type !== 'end') return print(answer);
      const { type: _type, ...ending } = answer;
      resolve(ending);
    });
    send(socket, { type: 'run', version: VERSION, ...typed });
  });
