import { absolutePath, portOrOff } from '../parse.js';
import { byProfile, optional } from '../variable-row.js';

export const HUB_RPC_VARIABLES = {
  CASTELLAN_HUB_GRPC_PORT: byProfile<number | 'off'>(
    portOrOff,
    { dev: 2283, serve: 'off' },
    'Port of the [gRPC interface of a hub](hub.md), or `off`. In development, the next free port unless it is set.',
  ),
  CASTELLAN_HUB_GRPC_TLS_CERT: optional(
    absolutePath,
    'File with the certificate (PEM, with its chain) of the gRPC interface. Without it, the interface is not encrypted.',
  ),
  CASTELLAN_HUB_GRPC_TLS_KEY: optional(absolutePath, 'File with the private key (PEM) of that certificate.'),
};
