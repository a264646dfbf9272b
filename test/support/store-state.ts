import { MessageType } from '@farcaster/core';
import { expect } from 'vitest';
import { audit } from '../../src/ingest/pipeline/audit.js';
import type { Shell } from './http-shell.js';
import type { StoreModel } from './store-model.js';

const hashes = (body: { messages: { hash: string }[] }): string[] =>
  body.messages.map(({ hash }) => hash.slice(2)).sort();

/** What the service and the model say of accounts, in one form. */
export const storedState = async (shell: Shell, apiKey: string, fids: readonly number[]) => {
  const get = async (path: string) => {
    const response = await shell.server.fastify.inject({ url: path, headers: { 'x-api-key': apiKey } });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  const state: Record<string, unknown> = {};
  for (const fid of fids) {
    const of = `fid=${fid}&pageSize=1000`;
    const reactions = await Promise.all([1, 2].map((type) => get(`/v1/reactionsByFid?${of}&reaction_type=${type}`)));
    const all = await shell.db.run<{ hash: Buffer }>(
      'select hash from message where fid = $1 and message_set <> 9 and not void',
      [fid],
    );
    const proofs: { name: string }[] = (await get(`/v1/userNameProofsByFid?fid=${fid}`)).proofs;
    state[fid] = {
      casts: hashes(await get(`/v1/castsByFid?${of}`)),
      reactions: reactions.flatMap(hashes).sort(),
      links: hashes(await get(`/v1/linksByFid?${of}`)),
      userData: hashes(await get(`/v1/userDataByFid?${of}`)),
      verifications: hashes(await get(`/v1/verificationsByFid?${of}`)),
      all: all.map(({ hash }) => hash.toString('hex')).sort(),
      names: proofs.map(({ name }) => name).sort(),
      units: (await get(`/v1/storageLimitsByFid?fid=${fid}`)).units,
    };
  }
  const keys = await shell.db.run<{ place: string }>(
    `select fid || ' ' || encode(key, 'hex') as place from signer_key where active and fid = any($1)`,
    [fids],
  );
  return { ...state, keys: keys.map(({ place }) => place).sort(), audit: await audit(shell.db) };
};

export const modelState = (model: StoreModel, fids: readonly number[]) => {
  const state: Record<string, unknown> = {};
  for (const fid of fids) {
    state[fid] = {
      casts: model.hashes(fid, MessageType.CAST_ADD),
      reactions: model.hashes(fid, MessageType.REACTION_ADD),
      links: model.hashes(fid, MessageType.LINK_ADD),
      userData: model.hashes(fid, MessageType.USER_DATA_ADD),
      verifications: model.hashes(fid, MessageType.VERIFICATION_ADD_ETH_ADDRESS),
      all: model.hashes(fid),
      names: model.names(fid),
      units: model.units(fid),
    };
  }
  return { ...state, keys: model.accounts.keysInForce(fids), audit: [] };
};
