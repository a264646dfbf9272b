import type { Socket } from 'node:net';
import type { FolderLock } from '../../db/lock.js';
import { VERSION } from '../../version.js';
import type { CommandContext, CommandDefinition } from '../terminal/command.js';
import { exitResultOf } from '../terminal/exit-result.js';
import { createOutput } from '../terminal/output.js';
import { type ControlRequest, type ControlResponse, receive, send } from './wire.js';

/**
 * Runs commands of other processes in this one, which holds the data folder.
 * @param contextFor returns the context of a command
 */
export const serveControl = (
  lock: FolderLock,
  commands: readonly CommandDefinition[],
  contextFor: (command: CommandDefinition) => Omit<CommandContext, 'isRemote' | 'signal'>,
) => {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  const execute = async (socket: Socket, request: Extract<ControlRequest, { type: 'run' }>, signal: AbortSignal) => {
    const answer = (value: ControlResponse) => send(socket, value);
    const command = commands.find((one) => one.name === request.command);
    if (request.version !== VERSION || !command) {
      const message = `The running service is version ${VERSION}, this command is ${request.version}: restart the service.`;
      answer({ type: 'end', code: 1, message });
    } else {
      const context = contextFor(command);
      try {
        const output = createOutput(answer, request.isJson);
        const code = await command.run({ ...context, isRemote: true, signal }, request.input, output);
        answer({ type: 'end', code: code || 0 });
      } catch (error) {
        if (!signal.aborted) context.log.debug({ err: error, command: command.name }, 'command failed');
        answer({ type: 'end', ...exitResultOf(error, signal) });
      }
    }
    socket.end();
  };

  lock.onConnection((socket) => {
    const gone = new AbortController();
    socket.on('close', () => gone.abort());
    receive<ControlRequest>(socket, (request) => {
      if (request.type === 'cancel') return gone.abort();
      if (stopping.signal.aborted) {
        send(socket, { type: 'end', code: 1, message: 'The service is stopping: try again in a moment.' });
        return void socket.end();
      }
      const run = execute(socket, request, AbortSignal.any([gone.signal, stopping.signal]));
      running.add(run);
      void run.finally(() => running.delete(run));
    });
  });

  /** Resolves when no command is running. */
  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running);
  };
  return {
    idle,
    /** Interrupts running commands and rejects new ones. Resolves when all have ended. */
    stop: () => {
      stopping.abort();
      return idle();
    },
  };
};
/** Refuses commands of other processes while this one holds the data folder. */
export const refuseControl = (lock: FolderLock, message: string): void =>
  lock.onConnection((socket) => {
    receive<ControlRequest>(socket, ({ type }) => {
      if (type !== 'run') return;
      send(socket, { type: 'end', code: 1, message });
      socket.end();
    });
  });
export type ControlServer = ReturnType<typeof serveControl>;
