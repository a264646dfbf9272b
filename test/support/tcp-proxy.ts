import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and its server, so that a test can take the server away. */
export interface Relay {
  readonly port: number;
  /** Closes every connection, and every new one at once. */
  cut(): void;
  /** Takes what comes and passes nothing on. */
  hold(): void;
  /**
   * Breaks each connection whose server says these bytes, in place of passing them on: what the client asked for is
   * done, and it does not hear of it.
   */
  swallow(answer: Buffer): void;
  /** Passes on what new connections bring; held ones are closed. */
  mend(): void;
  stop(): Promise<void>;
}

export const startRelay = async (to: { readonly host: string; readonly port: number }): Promise<Relay> => {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'held' = 'open';
  let swallowed: Buffer | undefined;
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
    client.pipe(onward);
    onward.on('data', (bytes: Buffer) => {
      if (swallowed !== undefined && bytes.includes(swallowed)) onward.destroy();
      else client.write(bytes);
    });
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
    swallow: (answer) => {
      swallowed = answer;
    },
    mend: () => {
      state = 'open';
      swallowed = undefined;
      drop();
    },
    stop: async () => {
      drop();
      await new Promise((done) => server.close(done));
    },
  };
};
