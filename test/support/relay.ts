import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and its server, so that a test can take the server away. */
export interface Relay {
  readonly port: number;
  /** Closes every connection, and every new one at once. */
  cut(): void;
  /** Takes what comes and passes nothing on. */
  hold(): void;
  /** Passes on what new connections bring; held ones are closed. */
  mend(): void;
  stop(): Promise<void>;
}

export const startRelay = async (to: { readonly host: string; readonly port: number }): Promise<Relay> => {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'held' = 'open';
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state !== 'open') return;
    const onward = keep(connect(to));
    client.pipe(onward).pipe(client);
    client.once('close', () => onward.destroy());
    onward.once('close', () => client.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut';
      drop();
    },
    hold: () => {
      state = 'held';
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      state = 'open';
      drop();
    },
    stop: async () => {
      drop();
      await new Promise((done) => server.close(done));
    },
  };
};
