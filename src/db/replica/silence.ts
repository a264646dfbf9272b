/** Milliseconds without any byte after which a connection with a question under way is closed. */
const SILENT_MS = 700;

/** The part of a socket that is watched. */
interface Socket {
  readonly bytesRead?: number;
  destroy(error: Error): void;
}

/**
 * Closes a connection if nothing arrives: what is under way there fails then.
 * @param socketOf returns the socket of the connection that is open now
 * @returns ends the watch
 */
export const closeIfSilent = (socketOf: () => Socket | undefined): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const socket = socketOf();
    const before = socket?.bytesRead;
    timer = setTimeout(() => {
      // What arrived while this process was busy is read before this.
      setImmediate(() => {
        if (timer === undefined) return;
        if (socket === undefined || socket.bytesRead !== before) return look();
        socket.destroy(Object.assign(new Error(`nothing arrived for ${SILENT_MS} ms`), { code: 'ETIMEDOUT' }));
      });
    }, SILENT_MS).unref();
  };
  look();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
};
