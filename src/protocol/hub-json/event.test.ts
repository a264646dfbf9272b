import { HubEvent, HubEventType, Message } from '@farcaster/core';
import { describe, expect, it } from 'vitest';
import { author } from '../../sample/author.js';
import { decodeMessage } from '../wire/decode.js';
import { decodeEnvelope } from '../wire/envelope.js';
import { hubEventToJson } from './event.js';
import { messageToJson } from './message.js';
import { onChainEventToJson } from './onchain.js';
import { usernameProofToJson } from './proof.js';

const alice = author({ seed: 'hub-json-event', fid: 7 });
const cast = alice.cast({ text: 'gm' });
const removal = alice.removeCast(cast.hash);
const proof = await alice.fnameProof('alice');
const register = alice.register();
if (proof.kind !== 'proof' || register.kind !== 'onchain') throw new Error('other items');

const message = (wire: Uint8Array): Message => Message.decode(wire);
const json = (wire: Uint8Array): object => messageToJson(decodeMessage(decodeEnvelope(wire)));

/** Through the wire, as the event log keeps events. */
const render = (event: Partial<HubEvent>): object =>
  hubEventToJson(HubEvent.decode(HubEvent.encode(HubEvent.create({ id: 5, ...(event as object) })).finish()));

describe('a hub event in hub JSON', () => {
  it('shows a merge with what it deleted', () => {
    const mergeMessageBody = { message: message(removal.wire), deletedMessages: [message(cast.wire)] };
    expect(render({ type: HubEventType.MERGE_MESSAGE, mergeMessageBody })).toEqual({
      type: 'HUB_EVENT_TYPE_MERGE_MESSAGE',
      id: 5,
      mergeMessageBody: { message: json(removal.wire), deletedMessages: [json(cast.wire)] },
    });
  });

  it('shows prunes and revokes', () => {
    const body = { message: message(cast.wire) };
    expect(render({ type: HubEventType.PRUNE_MESSAGE, pruneMessageBody: body })).toEqual({
      type: 'HUB_EVENT_TYPE_PRUNE_MESSAGE',
      id: 5,
      pruneMessageBody: { message: json(cast.wire) },
    });
    expect(render({ type: HubEventType.REVOKE_MESSAGE, revokeMessageBody: body })).toEqual({
      type: 'HUB_EVENT_TYPE_REVOKE_MESSAGE',
      id: 5,
      revokeMessageBody: { message: json(cast.wire) },
    });
  });

  it('shows a name with only the members that are set', () => {
    const mergeUsernameProofBody = {
      usernameProof: proof.proof,
      deletedUsernameProof: undefined,
      usernameProofMessage: undefined,
      deletedUsernameProofMessage: undefined,
    };
    expect(render({ type: HubEventType.MERGE_USERNAME_PROOF, mergeUsernameProofBody })).toEqual({
      type: 'HUB_EVENT_TYPE_MERGE_USERNAME_PROOF',
      id: 5,
      mergeUsernameProofBody: { usernameProof: usernameProofToJson(proof.proof) },
    });
  });

  it('shows an onchain event', () => {
    const mergeOnChainEventBody = { onChainEvent: register.event };
    expect(render({ type: HubEventType.MERGE_ON_CHAIN_EVENT, mergeOnChainEventBody })).toEqual({
      type: 'HUB_EVENT_TYPE_MERGE_ON_CHAIN_EVENT',
      id: 5,
      mergeOnChainEventBody: { onChainEvent: onChainEventToJson(register.event) },
    });
  });

  it('writes events without messages, and later types by number', () => {
    expect(render({ type: HubEventType.BLOCK_CONFIRMED })).toEqual({ type: 'HUB_EVENT_TYPE_BLOCK_CONFIRMED', id: 5 });
    expect(render({ type: 12 as HubEventType })).toEqual({ type: 'HUB_EVENT_TYPE_12', id: 5 });
  });
});
