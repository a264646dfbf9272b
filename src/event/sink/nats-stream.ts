import { readFile } from 'node:fs/promises';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nanos,
  PermissionViolationError,
} from '@nats-io/transport-node';
import type { EventSinkAddress } from '../../config/event-sink.js';
import { DAY_MS, MINUTE_MS } from '../../duration.js';

const CONNECT_MS = 5_000;
export const REPLY_MS = 5_000;
/** A connection that was lost without notice has ended after three of them. */
const PING_MS = 5_000;
/** How long the server knows the ids of messages: what is repeated within it is dropped. */
const DUPLICATE_WINDOW_MS = 2 * MINUTE_MS;

const loginOf = async (address: EventSinkAddress): Promise<NodeConnectionOptions> => {
  const { user, password, token, credentialsFile } = address;
  // Read for each connection, because such files are renewed.
  if (credentialsFile !== undefined) return { authenticator: credsAuthenticator(await readFile(credentialsFile)) };
  if (token !== undefined) return { token: token.reveal() };
  return user === undefined ? {} : { user, pass: password?.reveal() ?? '' };
};

const tlsOf = ({ tls }: EventSinkAddress): NodeConnectionOptions => {
  if (tls === undefined) return {};
  const { caFile, certFile, keyFile } = tls;
  return {
    tls: {
      ...(caFile !== undefined && { caFile }),
      ...(certFile !== undefined && { certFile, keyFile: keyFile ?? '' }),
    },
  };
};

/** One connection: what was lost with it is sent again on a new one, never by the library behind the caller's back. */
const openConnection = async (address: EventSinkAddress): Promise<NatsConnection> =>
  connect({
    ...(await loginOf(address)),
    ...tlsOf(address),
    servers: [...address.servers],
    name: 'castellan',
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    noAsyncTraces: true,
  });

const subjectsOf = (stream: string): string => `${stream}.event.>`;

const isPermission = (error: unknown): boolean =>
  error instanceof PermissionViolationError || (error as Error).cause instanceof PermissionViolationError;

/** Makes the stream if it is missing. One that is there stays as it is: its limits are the operator's. */
const requireStream = async (
  nats: NatsConnection,
  { stream, replicas }: EventSinkAddress,
  retentionDays: number,
): Promise<void> => {
  const { streams } = await jetstreamManager(nats, { checkAPI: false, timeout: REPLY_MS });
  try {
    await streams.info(stream);
  } catch (error) {
    // Who may only publish cannot ask; the first message shows whether there is a stream.
    if (isPermission(error)) return;
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    await streams.add({
      name: stream,
      subjects: [subjectsOf(stream)],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: nanos(retentionDays * DAY_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      num_replicas: replicas,
    });
  }
};

/** The library's error for a message that no stream took says that JetStream is off, which is rarely the reason. */
export const explain = (error: unknown, stream: string): unknown =>
  (error as Error).name === 'JetStreamNotEnabled'
    ? new Error(`No stream takes the subjects ${subjectsOf(stream)}, or it has no leader, or JetStream is off.`, {
        cause: error,
      })
    : error;

/** @returns what `work` resolves to. @throws the reason of the signal as soon as it is aborted */
const orAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** @returns a connection; what `use` does with it, and its opening, end with the signal, and the connection, too, if they fail */
const withConnection = async <T>(
  address: EventSinkAddress,
  signal: AbortSignal,
  use: (nats: NatsConnection) => Promise<T>,
): Promise<T> => {
  const opening = openConnection(address);
  const close = (): void => void opening.then((nats) => nats.close()).catch(() => undefined);
  signal.addEventListener('abort', close, { once: true });
  try {
    const nats = await orAborted(opening, signal);
    void nats.closed().then(() => signal.removeEventListener('abort', close));
    return await use(nats);
  } catch (error) {
    // The signal lives on, and many attempts may fail.
    signal.removeEventListener('abort', close);
    close();
    throw explain(error, address.stream);
  }
};

/**
 * Connects to the servers, and makes the stream if it is missing.
 * @param signal ends the connection, also while it is opened
 * @param retentionDays how long a stream that is made keeps messages
 */
export const openStream = (
  address: EventSinkAddress,
  signal: AbortSignal,
  retentionDays: number,
): Promise<NatsConnection> =>
  withConnection(address, signal, async (nats) => {
    await requireStream(nats, address, retentionDays);
    return nats;
  });

/**
 * Asks the servers for the stream, and changes nothing.
 * @returns the state of the stream in words
 * @throws if it cannot be reached, refuses the login or has no such stream
 */
export const describeStream = (address: EventSinkAddress, signal: AbortSignal): Promise<string> =>
  withConnection(address, signal, async (nats) => {
    const { streams } = await jetstreamManager(nats, { checkAPI: false, timeout: REPLY_MS });
    const found = await streams.info(address.stream).catch((error: unknown) => {
      if (isPermission(error)) return undefined;
      throw error;
    });
    await nats.close();
    const answers = `NATS answers at ${nats.getServer()}`;
    if (found === undefined) return `${answers}; its login may not ask about the stream ${address.stream}`;
    const { messages, bytes } = found.state;
    return `${answers}; the stream ${address.stream} has ${messages} messages, ${Math.ceil(bytes / 1024 / 1024)} MB`;
  });
