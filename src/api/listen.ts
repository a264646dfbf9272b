import type { AddressInfo, Server } from 'node:net';

/** Ports that are tried. */
const MOVES = 100;

export interface Place {
  readonly host: string;
  readonly port: number;
  /** Whether the next free port will do if this one is taken. */
  readonly isMovable?: boolean;
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

const bind = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const listening = (): void => {
      server.off('error', failed);
      resolve((server.address() as AddressInfo).port);
    };
    const failed = (error: Error): void => {
      server.off('listening', listening);
      reject(error);
    };
    server.once('error', failed).once('listening', listening).listen(port, host);
  });

/** @returns the port; the system chooses one for 0. @throws the network's error */
export const listenAt = async (server: Server, { host, port, isMovable = false }: Place): Promise<number> => {
  for (let tried = port; ; tried++) {
    try {
      return await bind(server, host, tried);
    } catch (error) {
      if (!isMovable || !isTaken(error) || tried === port + MOVES) throw error;
    }
  }
};
