import type { Socket } from 'node:net';
import { VERSION } from '../../version.js';
import { type ControlAnswer, receive, send } from './wire.js';
import type { Ending } from '../terminal/exit-result.js';
import type { OutputEvent } from '../terminal/output.js';

/**
 * Runs a command in the process at the other end, which holds the data folder.
 *
 * @param print is called with each event as it happens.
 * @param signal interrupts the command there; it still says how it ended.
 */
export function runRemote(
  socket: Socket,
  command: string,
  input: unknown,
  print: (event: OutputEvent) => void,
  signal: AbortSignal,
): Promise<Ending> {
  return new Promise((resolve) => {
    const lost = { code: 1, message: 'The running service ended before the command did: look at its log.' };
    socket.on('error', () => resolve(lost));
    socket.on('close', () => resolve(lost));
    signal.addEventListener('abort', () => send(socket, { type: 'cancel' }), { once: true });
    receive<ControlAnswer>(socket, (answer) => {
      if (answer.type !== 'end') return print(answer);
      const { type: _type, ...ending } = answer;
      resolve(ending);
    });
    send(socket, { type: 'run', version: VERSION, command, input });
  });
}
