import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { type LocalNameRegistry, NameRegistryError } from '../../fname/local-registry.js';
import type { NameTransfer, NameTransferRequest } from '../../fname/registry.js';
import { createGuard } from '../http/access-control.js';
import type { Services } from '../http/service.js';

/** Path of the name registry of a local network. */
const BASE = '/fname-registry';
const MAX_FID = Number.MAX_SAFE_INTEGER;

const Fid = Type.Integer({ minimum: 0, maximum: MAX_FID });
const TransferBody = Type.Object({
  name: Type.String({ maxLength: 64 }),
  from: Fid,
  to: Fid,
  fid: Fid,
  owner: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  timestamp: Type.Integer({ minimum: 0, maximum: MAX_FID }),
  signature: Type.String({ pattern: '^0x[0-9a-fA-F]{130}$' }),
});

/** The form of the public registry (farcasterxyz/fname-registry). */
const viewTransfer = ({ name, from, to, owner, timestamp, serverSignature }: NameTransfer, signature = '0x') => ({
  id: timestamp,
  timestamp,
  username: name,
  owner,
  from,
  to,
  user_signature: signature,
  server_signature: serverSignature,
});

const rejected = (reply: FastifyReply, error: unknown): FastifyReply => {
  if (!(error instanceof NameRegistryError)) throw error;
  return reply.code(400).send({ error: 'Validation failure', code: error.code });
};

const find = async (
  names: LocalNameRegistry,
  { name, fid }: { readonly name?: string; readonly fid?: string },
): Promise<NameTransfer | undefined> => {
  if (name !== undefined) return names.current(name);
  return fid !== undefined && /^\d{1,15}$/.test(fid) ? names.currentOf(Number(fid)) : undefined;
};

/**
 * Serves the name registry of a local network with the interface of the public one, without a key: owners sign their
 * requests. Only the latest transfer of a name is known.
 */
export const registerNameRegistry = (fastify: FastifyInstance, services: Services, names: LocalNameRegistry): void => {
  const onRequest = createGuard(
    { id: 'name-registry', family: 'v2', errors: [400, 404], scope: 'public', limitsAddresses: true },
    services,
  );
  type Query = { Querystring: { readonly name?: string; readonly fid?: string } };
  fastify.get(`${BASE}/signer`, { onRequest }, () => ({ signer: names.signer }));
  fastify.get<Query>(`${BASE}/transfers/current`, { onRequest }, async ({ query }, reply) => {
    const transfer = await find(names, query);
    return transfer
      ? { transfer: viewTransfer(transfer) }
      : reply.code(404).send({ error: 'Could not resolve current name' });
  });
  fastify.get<Query>(`${BASE}/transfers`, { onRequest }, async ({ query }) => {
    const transfer = await find(names, query);
    return { transfers: transfer ? [viewTransfer(transfer)] : [] };
  });
  fastify.post(`${BASE}/transfers`, { onRequest }, async ({ body }, reply) => {
    if (!Check(TransferBody, body)) {
      return reply.code(400).send({ error: 'Validation failure: name, from, to, fid, owner, timestamp and signature' });
    }
    const request = body as Static<typeof TransferBody> as NameTransferRequest;
    try {
      return { transfer: viewTransfer(await names.transfer(request), request.signature) };
    } catch (error) {
      return rejected(reply, error);
    }
  });
};
