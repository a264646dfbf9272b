import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { HubServiceService } from '@farcaster/hub-nodejs';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server as RpcServer,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { HubRpcConfig } from '../../config/hub-rpc.js';
import type { Services } from '../http/service.js';
import { listenAt } from '../listen.js';
import { createEarlyRefusal, type NamedOperation } from './early-refusal.js';
import type { RpcName } from './rpc.js';
import { RPCS, UNAVAILABLE_RPCS } from './rpc-list.js';
import { createSubscribeHandler, SUBSCRIBE } from './subscribe.js';
import { createUnaryHandler } from './unary.js';

/** As large as bodies over HTTP. The library keeps each message in memory before it is looked at. */
const MAX_REQUEST_BYTES = 2 ** 20;
/** Calls that a connection may have open at once. */
const MAX_CALLS_PER_CONNECTION = 100;
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;
/** A connection without calls is closed after this time. */
const MAX_IDLE_MS = 300_000;
/** As for HTTP: shorter than the 10 s in which a process has to end. */
const STOP_GRACE_MS = 4_000;

const OPTIONS = {
  'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
  'grpc.max_concurrent_streams': MAX_CALLS_PER_CONNECTION,
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  'grpc.max_connection_idle_ms': MAX_IDLE_MS,
};

const asBytes = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The hub's service with bytes in both directions. */
const definition = Object.fromEntries(
  Object.entries(HubServiceService).map(([name, method]) => [
    name,
    {
      ...method,
      requestDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: asBytes,
    },
  ]),
) as unknown as ServiceDefinition;

/** @returns the handler of a call that this service cannot answer */
const refuse = (isStream: boolean, details: string): UntypedHandleCall => {
  const error = { code: status.UNIMPLEMENTED, details };
  if (!isStream) return ((_call, respond) => respond(error)) satisfies handleUnaryCall<Buffer, Buffer>;
  return ((call) => void call.emit('error', error)) satisfies handleServerStreamingCall<Buffer, Buffer>;
};

const implementationOf = (services: Services, isLogged: boolean): UntypedServiceImplementation => {
  const handlers: UntypedServiceImplementation = { subscribe: createSubscribeHandler(services, isLogged) };
  for (const rpc of RPCS) handlers[rpc.name] = createUnaryHandler(rpc, services, isLogged);
  for (const [name, details] of Object.entries(UNAVAILABLE_RPCS)) {
    handlers[name] = refuse(HubServiceService[name as RpcName].responseStream, details);
  }
  return handlers;
};

const credentialsOf = ({ tls }: HubRpcConfig): ServerCredentials => {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const pair = { private_key: readFileSync(tls.keyFile), cert_chain: readFileSync(tls.certFile) };
  return ServerCredentials.createSsl(null, [pair]);
};

/** What answers a call, by its path. */
const NAMED: ReadonlyMap<string, NamedOperation> = new Map([
  ...RPCS.map((rpc) => [HubServiceService[rpc.name].path, rpc] as const),
  [HubServiceService.subscribe.path, { name: 'subscribe', operation: SUBSCRIBE }],
]);

/**
 * Builds the hub's gRPC interface (`HubService`) without listening. It accepts connections itself, so that the workers of
 * a service share a port, and that a port in use is an error that says so.
 * @throws the file system's error for a certificate or key that cannot be read, OpenSSL's for one that is none
 */
export const buildHubRpcServer = (
  config: HubRpcConfig,
  services: Services,
  options: { readonly maxConnections: number; readonly logsRequests?: boolean; readonly messageMs?: number },
) => {
  const { maxConnections, logsRequests = false, messageMs } = options;
  const refusal = createEarlyRefusal(NAMED, services, { messageMs, isLogged: logsRequests });
  const rpcServer = new RpcServer({ ...OPTIONS, interceptors: [refusal] });
  rpcServer.addService(definition, implementationOf(services, logsRequests));
  const injector = rpcServer.createConnectionInjector(credentialsOf(config));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A connection that breaks is closed; its calls are cancelled.
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    injector.injectConnection(socket);
  });
  server.maxConnections = maxConnections;
  return {
    /** @returns the port. @throws the network's error */
    listen: (host: string): Promise<number> => listenAt(server, { host, ...config }),
    /** Accepts no more connections, finishes the calls in progress, and closes the remaining connections. */
    stop: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const forced = setTimeout(() => {
        rpcServer.forceShutdown();
        for (const socket of sockets) socket.destroy();
      }, STOP_GRACE_MS);
      injector.drain(STOP_GRACE_MS);
      await closed;
      clearTimeout(forced);
      rpcServer.forceShutdown();
    },
  };
};
