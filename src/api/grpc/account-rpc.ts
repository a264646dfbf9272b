import {
  FidAddressTypeResponse,
  FidsResponse,
  IdRegisterEventType,
  OnChainEvent,
  OnChainEventResponse,
  OnChainEventType,
  SignerResponse,
  SignersByFidResponse,
  UserNameProof,
  UsernameProofsResponse,
} from '@farcaster/core';
import { invalidField, notFound } from '../../error.js';
import { ED25519_KEY_BYTES } from '../../protocol/limit.js';
import { selectActiveSignerEvents, selectOnchainEventsByType } from '../../store/hub/onchain-event.js';
import { selectUsernameProofByName, selectUsernameProofsByFid } from '../../store/hub/username-proof.js';
import type { UsernameProofRow } from '../../store/protocol/username-proof.js';
import { isUnfit } from '../http/storable-text.js';
import { readFidAddressType } from '../hub/account/fid-address-type.js';
import { hubFetchFids, selectFidPage } from '../hub/account/hub-fetch-fids.js';
import { hubFetchSignersByFid, MAX_REQUESTERS } from '../hub/account/hub-fetch-signers-by-fid.js';
import { hubFetchUserOnChainEvents } from '../hub/account/hub-fetch-user-on-chain-events.js';
import { hubFetchUserOnChainSignersEvents } from '../hub/account/hub-fetch-user-on-chain-signers-events.js';
import { hubFetchUsernameProofByName } from '../hub/account/hub-fetch-username-proof-by-name.js';
import { hubFetchUsernameProofsByFid } from '../hub/account/hub-fetch-username-proofs-by-fid.js';
import { hubLookupFidAddressType } from '../hub/account/hub-lookup-fid-address-type.js';
import {
  findRegistrationOf,
  hubLookupOnChainIdRegistryEventByAddress,
} from '../hub/account/hub-lookup-on-chain-id-registry-event-by-address.js';
import { hubLookupSigner } from '../hub/account/hub-lookup-signer.js';
import { listSignerEvents } from '../hub/account/signer-event-page.js';
import { findSigner, listSigners } from '../hub/account/signer-read.js';
import { requireShard } from '../hub/parameter.js';
import { MAX_PAGE_SIZE, pageOf } from './message-wire.js';
import { type Rpc, rpc } from './rpc.js';

const proofOf = ({ name, messageHash: _, ...proof }: UsernameProofRow): UserNameProof =>
  UserNameProof.create({ ...proof, name: Buffer.from(name) });

const eventsOf = (bodies: readonly Uint8Array[], nextPageToken?: Uint8Array): Uint8Array =>
  OnChainEventResponse.encode({ events: bodies.map((body) => OnChainEvent.decode(body)), nextPageToken }).finish();

/** Whether an event of the id registry gave an account to an address. */
const isHolding = (body: Uint8Array): boolean => {
  const event = OnChainEvent.decode(body).idRegisterEventBody;
  return event !== undefined && event.eventType !== IdRegisterEventType.CHANGE_RECOVERY;
};

/** The calls that read accounts: names, chain events, storage. */
export const ACCOUNT_RPCS: readonly Rpc[] = [
  rpc('getFids', hubFetchFids, {
    handle: async ({ shardId, ...request }, { db }) => {
      requireShard(shardId, 'shard_id', 'no shard store for fid');
      const { fids, nextPageToken } = await selectFidPage(db, pageOf(request));
      const token = nextPageToken === '' ? undefined : Buffer.from(nextPageToken, 'base64');
      return FidsResponse.encode({ fids, nextPageToken: token }).finish();
    },
  }),
  rpc('getUsernameProof', hubFetchUsernameProofByName, {
    handle: async ({ name }, { db }) => {
      const text = Buffer.from(name).toString();
      const row = isUnfit(text) ? undefined : await selectUsernameProofByName(db, text);
      if (row === undefined) throw notFound('Username proof not found');
      return UserNameProof.encode(proofOf(row)).finish();
    },
  }),
  rpc('getUserNameProofsByFid', hubFetchUsernameProofsByFid, {
    handle: async ({ fid }, { db }) => {
      const rows = await selectUsernameProofsByFid(db, fid);
      return UsernameProofsResponse.encode({ proofs: rows.map(proofOf) }).finish();
    },
  }),
  rpc('getOnChainEvents', hubFetchUserOnChainEvents, {
    handle: async ({ fid, eventType }, { db }) => {
      if (OnChainEventType[eventType] === undefined) throw invalidField('event_type', 'Invalid event type');
      return eventsOf(await selectOnchainEventsByType(db, fid, eventType));
    },
  }),
  rpc('getOnChainSigner', hubFetchUserOnChainSignersEvents, {
    handle: async ({ fid, signer }, { db }) => {
      const event = (await selectActiveSignerEvents(db, fid, signer)).at(-1);
      if (event === undefined) throw notFound('Active signer not found');
      return event;
    },
  }),
  rpc('getOnChainSignersByFid', hubFetchUserOnChainSignersEvents, {
    handle: async ({ fid, pageToken, ...request }, { db }) => {
      const { pageSize = MAX_PAGE_SIZE, reverse } = pageOf(request);
      const { events, nextPageToken } = await listSignerEvents(db, { fid, pageSize, pageToken, reverse });
      return eventsOf(events, nextPageToken);
    },
  }),
  rpc('getSigner', hubLookupSigner, {
    handle: async ({ fid, signer: key }, { db }) => {
      if (key.length !== ED25519_KEY_BYTES)
        throw invalidField('signer', `signer must have ${ED25519_KEY_BYTES} bytes, not ${key.length}`);
      const signer = await findSigner(db, fid, key);
      if (signer === undefined) throw notFound('Active signer not found');
      return SignerResponse.encode({ signer }).finish();
    },
  }),
  rpc('getSignersByFid', hubFetchSignersByFid, {
    handle: async ({ pageToken, ...request }, { db }) => {
      const { pageSize = MAX_PAGE_SIZE } = pageOf(request);
      if (request.requesterFids.length > MAX_REQUESTERS)
        throw invalidField('requester_fids', `requester_fids may name ${MAX_REQUESTERS} accounts`);
      const token = pageToken?.length ? { pageToken } : {};
      return SignersByFidResponse.encode(await listSigners(db, { ...request, ...token, pageSize })).finish();
    },
  }),
  rpc('getFidAddressType', hubLookupFidAddressType, {
    handle: async ({ fid, address }, { db }) =>
      FidAddressTypeResponse.encode(await readFidAddressType(db, fid, address)).finish(),
  }),
  rpc('getIdRegistryOnChainEvent', hubFetchUserOnChainEvents, {
    handle: async ({ fid }, { db }) => {
      const events = await selectOnchainEventsByType(db, fid, OnChainEventType.EVENT_TYPE_ID_REGISTER);
      const event = events.filter(isHolding).at(-1);
      if (event === undefined) throw notFound('ID registry event not found');
      return event;
    },
  }),
  rpc('getIdRegistryOnChainEventByAddress', hubLookupOnChainIdRegistryEventByAddress, {
    handle: async ({ address }, { db }) => {
      const event = await findRegistrationOf(db, address);
      if (event === undefined) throw notFound('no id-registry event for address');
      return event;
    },
  }),
];
