import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and its server that can simulate an outage. */
export interface TcpProxy {
  readonly port: number;
  /** Closes every connection, and every new one at once. */
  cut(): void;
  /** Accepts data without forwarding it. */
  hold(): void;
  /** Accepts data of the open connections without forwarding it, and forwards new connections. */
  holdOpen(): void;
  /**
   * Breaks each connection whose server sends these bytes instead of forwarding them: the request is done, but the
   * client gets no response.
   */
  dropAfter(answer: Buffer): void;
  /** Forwards new connections; held ones are closed. */
  restore(): void;
  stop(): Promise<void>;
}

export const startTcpProxy = async (to: { readonly host: string; readonly port: number }): Promise<TcpProxy> => {
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
  const holdOpen = (): void => {
    for (const socket of sockets) socket.unpipe().pause();
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
      holdOpen();
    },
    holdOpen,
    dropAfter: (answer) => {
      swallowed = answer;
    },
    restore: () => {
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
