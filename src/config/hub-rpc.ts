import type { ConfigReader } from './reader.js';
import type { Profile } from './variable-row.js';

/** The gRPC interface of a hub. */
export interface HubRpcConfig {
  readonly port: number;
  /** Whether the next free port is taken if another program has this one: nobody chose it. */
  readonly isMovable: boolean;
  /** Absolute paths of PEM files; undefined: not encrypted. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
}

/** @param others the ports that are taken by other parts, with their variables */
export const readHubRpc = (
  reader: ConfigReader,
  profile: Profile,
  others: readonly (readonly [name: string, port: number | undefined])[],
): HubRpcConfig | undefined => {
  const port = reader.get('CASTELLAN_HUB_GRPC_PORT');
  const certFile = reader.get('CASTELLAN_HUB_GRPC_TLS_CERT');
  const keyFile = reader.get('CASTELLAN_HUB_GRPC_TLS_KEY');
  if (certFile !== undefined && keyFile === undefined)
    reader.problem('CASTELLAN_HUB_GRPC_TLS_KEY', 'is required beside CASTELLAN_HUB_GRPC_TLS_CERT.');
  if (keyFile !== undefined && certFile === undefined)
    reader.problem('CASTELLAN_HUB_GRPC_TLS_CERT', 'is required beside CASTELLAN_HUB_GRPC_TLS_KEY.');
  if (port === 'off') return undefined;
  const isMovable = profile === 'dev' && reader.text('CASTELLAN_HUB_GRPC_PORT') === undefined;
  const taken = isMovable ? undefined : others.find(([, other]) => other === port);
  if (taken !== undefined) reader.problem('CASTELLAN_HUB_GRPC_PORT', `is the same as ${taken[0]} (${port}).`);
  return { port, isMovable, tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined };
};
