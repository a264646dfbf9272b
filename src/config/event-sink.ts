import type { Parse } from './parse.js';
import { Secret } from './secret.js';

/** A stream of a NATS server to which events are sent. */
export interface EventSinkAddress {
  /** `host:port` of the servers of one cluster. */
  readonly servers: readonly string[];
  readonly user: string | undefined;
  readonly password: Secret | undefined;
  readonly token: Secret | undefined;
  /** File with the JSON web token and the key of a user, as `nsc` writes it. */
  readonly credentialsFile: string | undefined;
  /** Undefined: encrypted if the server offers it. Without a file of its own, the authorities of the system count. */
  readonly tls:
    | {
        readonly caFile?: string | undefined;
        readonly certFile?: string | undefined;
        readonly keyFile?: string | undefined;
      }
    | undefined;
  /** Name of the stream, and the first part of the subject of each message. */
  readonly stream: string;
  /** Servers that have a copy of the stream, if it is made. */
  readonly replicas: number;
}

const FORM = 'is not of the form nats://user:password@host:4222/stream.';
const DEFAULT_STREAM = 'castellan';
const DEFAULT_PORT = 4222;
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i;
const PARAMETERS = ['credentials', 'tls_ca', 'tls_cert', 'tls_key', 'replicas'];

const readServer = (text: string): string => {
  const found = HOST.exec(text);
  const port = found?.groups?.port;
  if (!found || (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535))) throw new Error(FORM);
  return port === undefined ? `${text}:${DEFAULT_PORT}` : text;
};

/** A user without a password is a token, as in the addresses of other clients. */
const readLogin = (text: string | undefined) => {
  if (text === undefined) return { user: undefined, password: undefined, token: undefined };
  const [first = '', ...rest] = text.split(':');
  try {
    if (rest.length === 0)
      return { user: undefined, password: undefined, token: new Secret(decodeURIComponent(first)) };
    return {
      user: decodeURIComponent(first),
      password: new Secret(decodeURIComponent(rest.join(':'))),
      token: undefined,
    };
  } catch {
    throw new Error('has a user or a password that is not encoded as in a URL.');
  }
};

const readParameters = (text: string | undefined) => {
  const params = new URLSearchParams(text);
  const get = (name: string): string | undefined => params.get(name)?.trim() || undefined;
  const unknown = [...params.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new Error(`has a parameter that is none of ${PARAMETERS.join(', ')}.`);
  const replicas = Number(get('replicas') ?? '1');
  if (!(Number.isInteger(replicas) && replicas >= 1 && replicas <= 5))
    throw new Error('has replicas other than 1 to 5.');
  const [caFile, certFile, keyFile] = [get('tls_ca'), get('tls_cert'), get('tls_key')];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error('needs both tls_cert and tls_key, or neither.');
  const hasTls = caFile !== undefined || certFile !== undefined;
  return { credentialsFile: get('credentials'), replicas, tls: hasTls ? { caFile, certFile, keyFile } : undefined };
};

/**
 * @param text `nats://user:password@host:4222,other:4222/stream?replicas=3`; with `tls:` instead of `nats:`, or with one of
 *   the `tls_` parameters, the connection must be encrypted
 * @throws Error that says what is wrong, without any part of the address
 */
export const parseEventSink = (text: string): EventSinkAddress => {
  if (text.startsWith('kafka:'))
    throw new Error('names Kafka, which is not supported: use NATS with JetStream, nats://.');
  const [, scheme, login, hosts, stream, query] =
    /^(nats|tls):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/.exec(text) ?? [];
  if (hosts === undefined) throw new Error(FORM);
  if (stream && !/^[\w-]{1,64}$/.test(stream))
    throw new Error('has a stream that is not 1 to 64 of A-Z, a-z, 0-9, - and _.');
  const parameters = readParameters(query);
  const { credentialsFile } = parameters;
  if (login !== undefined && credentialsFile !== undefined)
    throw new Error('has a user and credentials: use one of them.');
  return {
    ...readLogin(login),
    ...parameters,
    tls: parameters.tls ?? (scheme === 'tls' ? {} : undefined),
    servers: hosts.split(',').map(readServer),
    stream: stream || DEFAULT_STREAM,
  };
};

/** An address of a broker, kept as a secret. */
export const eventSinkUrl: Parse<Secret> = (text, report) => {
  try {
    parseEventSink(text);
    return new Secret(text);
  } catch (error) {
    return report((error as Error).message);
  }
};
