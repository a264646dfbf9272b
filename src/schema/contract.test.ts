import { readdirSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { contract, contractAvailable } from '../../test/support/contract.js';
import { difference } from '../../test/support/shape.js';
import { namedSchema, nameOf } from './named.js';

type Json = Record<string, unknown>;

for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })) {
  if (/^[a-z0-9/-]+\.ts$/.test(file)) await import(/* @vite-ignore */ `./${file.replace(/\.ts$/, '.js')}`);
}

const schemas = contractAvailable ? contract().components.schemas : {};

/** Parts of our shapes that the contract does not have; the reason is next to each shape. */
const additions: readonly RegExp[] = [
  /^HubMessageCommon\.dataBytes$/,
  /^Hub(CastAdd|Reaction|LinkAdd|UserDataAdd|Verification|Message)\.dataBytes$/,
  /^HubMessageDataCastRemove\.castRemoveBody$/,
  /^HubMessageDataVerificationAdd\.verificationAddAddressBody$/,
  /^HubVerification\.data\.verificationAddAddressBody$/,
  /^HubMessage\.data\.(castRemoveBody|verificationAddAddressBody)$/,
  /^HubMessage\.data$/,
  /^HubUserDataBody\.type$/,
  /^HubLinkBody\.type$/,
  /^Hub(UrlEmbed|Embed)\.url$/,
  /^HubStorageLimit\.(name|used|earliestTimestamp|earliestHash)$/,
  /^HubOnChainSignersResponse\.nextPageToken$/,
  /^HubUserNameProof\.type$/,
  /^HubVerificationAddEthAddressBody\.blockHash$/,
  /^HubVerificationRemoveBody\.address$/,
  /^HubOnChainEvent$/,
  /^HubStorageLimitsResponse\.units_by_type$/,
  /^MarkNotificationsAsSeenReqBody\.fid$/,
  /^NftMintSimulation\.error$/,
  /^SendFrameNotificationsResponse\.notification_deliveries$/,
  /^PostCastResponse\.cast\.mentioned_profiles$/,
  /^WebhookCastEvent\.data\.event_timestamp$/,
];

const resolveContract = (ref: string): Json => schemas[ref.split('/').pop() ?? ''] ?? {};
/** A recursive shape refers to itself by its bare name. */
const resolveOurs = (ref: string): Json => {
  const cyclic = namedSchema(ref) as { $defs?: Record<string, Json> } | undefined;
  return cyclic?.$defs?.[ref] ?? {};
};

/** Named components are compared once, under their name. */
const same = (want: Json, have: Json): boolean => {
  const name = nameOf(have as unknown as TSchema);
  const reference = want.$ref ?? (want.allOf as Json[] | undefined)?.[0]?.$ref;
  return name !== undefined && reference === `#/components/schemas/${name}` && Object.keys(want).length === 1;
};

const compare = (name: string, ours: TSchema): string[] =>
  difference(
    schemas[name] ?? {},
    ours as unknown as Json,
    {
      want: resolveContract,
      have: resolveOurs,
      same,
      added: (place) => additions.some((pattern) => pattern.test(place)),
    },
    name,
  );

/** Every component that a part of the contract refers to, directly or indirectly. */
const reach = (node: unknown, found = new Set<string>()): Set<string> => {
  if (typeof node !== 'object' || node === null) return found;
  for (const [key, value] of Object.entries(node)) {
    const name = key === '$ref' ? String(value).split('/schemas/')[1] : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      reach(schemas[name], found);
    } else if (key !== 'mapping') reach(value, found);
  }
  return found;
};

describe.runIf(contractAvailable)('shapes held against the contract', () => {
  const names = Object.keys(schemas).filter((name) => namedSchema(name) !== undefined);

  test('most of what the social and hub operations need is here', () => {
    expect(names.length).toBeGreaterThan(200);
  });

  test.each(names)('%s', (name) => {
    expect(compare(name, namedSchema(name) as TSchema)).toEqual([]);
  });

  test('every shape that a hub operation refers to is described', () => {
    const hub = Object.values(contract().paths)
      .flatMap((item) => Object.values(item))
      .filter((operation) => operation['x-base'] === 'hub');
    expect(hub.length).toBe(25);
    expect([...reach(hub)].filter((name) => namedSchema(name) === undefined)).toEqual([]);
  });
});
