import type ts from 'typescript';
import { expect, test } from 'vitest';
import { buildDocument } from '../src/api/openapi/document.js';
import { operations } from '../src/api/operation-list.js';
import { WIRE_NAMES } from '../src/schema/wire-names.js';
import { type ClientCall, openClientTypes } from './support/client-types.js';
import { contract, contractAvailable } from './support/contract.js';

/**
 * Every name that the interface has in the ecosystem's words, held against the types of the public client: what we
 * answer, and the whole contract where it is at hand. A pair that the table lacks, or spells wrongly, shows here.
 */

type Json = { readonly [keyword: string]: unknown };
interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Json;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly responses: Record<string, Json>;
}
interface Shape {
  readonly members: Map<string, Json[]>;
  readonly items: Json[];
  readonly rest: Json[];
  readonly constants: Set<string>;
}

const client = openClientTypes();
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** @returns differences as `side kind name: where it was first met`; sides are `client` and `ours` for what one lacks. */
const compareWithClient = (document: Description): string[] => {
  const resolve = (node: Json): Json => {
    if (typeof node.$ref !== 'string') return node;
    const target = node.$ref
      .slice(2)
      .split('/')
      .reduce((one, key) => one[key] as Json, document as unknown as Json);
    return resolve(target);
  };
  const gather = (input: Json, shape: Shape, seen: Set<Json>): Shape => {
    const node = resolve(input);
    if (seen.has(node)) return shape;
    seen.add(node);
    for (const [name, member] of Object.entries((node.properties ?? {}) as Record<string, Json>)) {
      shape.members.set(name, [...(shape.members.get(name) ?? []), member]);
    }
    if (node.items) shape.items.push(node.items as Json);
    if (typeof node.additionalProperties === 'object') shape.rest.push(node.additionalProperties as Json);
    for (const value of [...((node.enum as unknown[]) ?? []), node.const]) {
      if (typeof value === 'string') shape.constants.add(value);
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      for (const part of (node[keyword] as Json[] | undefined) ?? []) gather(part, shape, seen);
    }
    return shape;
  };

  const found = new Map<string, string>();
  const tell = (what: string, where: string): void => void (found.has(what) || found.set(what, where));
  const both = (kind: string, ours: Iterable<string>, theirs: Iterable<string>, where: string): void => {
    const [left, right] = [new Set(ours), new Set(theirs)];
    for (const name of left) if (!right.has(name)) tell(`ours ${kind} ${name}`, where);
    for (const name of right) if (!left.has(name)) tell(`client ${kind} ${name}`, where);
  };

  const ids = new Map<unknown, number>();
  const idOf = (thing: unknown): number => {
    const id = ids.get(thing) ?? ids.size;
    ids.set(thing, id);
    return id;
  };
  const compared = new Set<string>();
  const compare = (nodes: readonly Json[], types: readonly ts.Type[], where: string): void => {
    const pair = `${nodes.map((node) => idOf(resolve(node)))}|${types.map(idOf)}`;
    if (compared.has(pair)) return;
    compared.add(pair);
    const ours: Shape = { members: new Map(), items: [], rest: [], constants: new Set() };
    for (const node of nodes) gather(node, ours, new Set());
    const theirs = client.shapeOf(types);
    if (ours.members.size > 0 && theirs.members.size > 0) {
      both('member', ours.members.keys(), theirs.members.keys(), where);
    }
    if (ours.constants.size > 0 && theirs.constants.size > 0) both('constant', ours.constants, theirs.constants, where);
    for (const [name, parts] of ours.members) {
      const others = theirs.members.get(name);
      if (others) compare(parts, others, `${where}.${name}`);
    }
    if (ours.items.length > 0 && theirs.items.length > 0) compare(ours.items, theirs.items, `${where}[]`);
    if (ours.rest.length > 0 && theirs.rest.length > 0) compare(ours.rest, theirs.rest, `${where}{}`);
  };

  const schemaOf = (part: Json | undefined): Json | undefined => {
    const content = part && (resolve(part).content as Record<string, { schema?: Json }> | undefined);
    return content && (content['application/json'] ?? Object.values(content)[0])?.schema;
  };
  const compareCall = (operation: Operation, call: ClientCall): void => {
    const parameters = (operation.parameters ?? []).map(resolve);
    const namesOf = (place: string): string[] =>
      parameters.filter((one) => one.in === place).map(({ name }) => String(name));
    const id = operation.operationId;
    both('query', namesOf('query'), call.query, id);
    both(
      'header',
      namesOf('header').map((name) => name.toLowerCase()),
      call.headers,
      id,
    );
    const success = schemaOf(operation.responses['200'] ?? operation.responses['201']);
    if (success && call.response) compare([success], [call.response], id);
    const members = call.request === undefined ? new Map<string, ts.Type[]>() : client.shapeOf([call.request]).members;
    const camel = (name: unknown): string =>
      String(name).replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
    for (const { name, schema } of parameters) {
      const types = members.get(camel(name));
      if (types) compare([schema as Json], types, `${id} ${String(name)}`);
    }
    const body = schemaOf(operation.requestBody);
    const types = call.body === undefined ? undefined : members.get(call.body);
    if (body && types) compare([body], types, `${id} body`);
  };

  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const call = client.calls.find(
        (one) => one.method.toLowerCase() === method && withoutSlash(one.path) === withoutSlash(path),
      );
      if (call === undefined) tell(`ours operation ${operation.operationId}`, `${method} ${path}`);
      else compareCall(operation, call);
    }
  }
  return [...found].map(([what, where]) => `${what}: ${where}`).sort();
};

/** The contract in the ecosystem's names, by the table alone: every text of the table, wherever it stands. */
const contractInEcosystem = (): Description => {
  const names = new Map<string, string>(WIRE_NAMES.map(({ neutral, ecosystem }) => [neutral, ecosystem]));
  const turn = (value: unknown): unknown => {
    if (typeof value === 'string') return (names.get(value) ?? value).replace(/^\/v2\/social\//, '/v2/farcaster/');
    if (Array.isArray(value)) return value.map(turn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [turn(name), turn(member)]));
  };
  return turn(contract()) as Description;
};

/** The contract is 3.184.0, the client 3.177.0, and the notes at the head of the contract tell of a few choices. */
const LATER_VERSION: readonly string[] = [
  'client constant algorithmic: search-casts sort_type',
  'client constant global_trending: fetch-feed filter_type',
];
/** The client's types spell types of reactions as no hub does. */
const CLIENT_ONLY: readonly string[] = [
  'client constant Like: hub-lookup-reaction-by-id.data.reactionBody.type',
  'client constant Recast: hub-lookup-reaction-by-id.data.reactionBody.type',
];
const CONTRACT_ONLY: readonly string[] = [
  'ours constant REACTION_TYPE_LIKE: hub-lookup-reaction-by-id.data.reactionBody.type',
  'ours constant REACTION_TYPE_RECAST: hub-lookup-reaction-by-id.data.reactionBody.type',
  'ours constant arbitrum: fetch-fungible-trades network',
  'ours constant cast-mention: fetch-all-notifications.notifications[].type',
  'ours constant ethereum: fetch-fungible-trades network',
  'ours constant optimism: fetch-fungible-trades network',
  'ours constant robinhood: get-transaction-pay-frame.transaction_frame.transaction.to.network',
  'ours member object: lookup-cast-by-hash-or-url.cast.embeds[].cast',
];

/** Values of the protocol that the client's types lack, and that accounts of today carry. */
const PROTOCOL_ONLY: readonly string[] = [
  'ours constant USERNAME_TYPE_BASENAME: hub-fetch-username-proofs-by-fid.proofs[].type',
  'ours constant USER_DATA_PRIMARY_ADDRESS_ETHEREUM: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_PRIMARY_ADDRESS_SOLANA: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_TYPE_BANNER: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_TYPE_GITHUB: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_TYPE_LIVE_AT: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_TYPE_LOCATION: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_TYPE_PROFILE_TOKEN: hub-fetch-user-data.data.userDataBody.type',
  'ours constant USER_DATA_TYPE_TWITTER: hub-fetch-user-data.data.userDataBody.type',
  'ours constant UnitType2025: hub-lookup-user-storage-limit.unitDetails.unitType',
  'ours constant block: hub-lookup-user-relation.data.linkBody.type',
];

/** Where a name was first met depends on the order of the operations. */
const withoutPlace = (difference: string): string => difference.split(':', 1)[0] as string;

test('every name of the ecosystem client is in the ecosystem document, except the listed ones', () => {
  const document = buildDocument(operations, '/', 'ecosystem') as Description;
  // What we have beyond the client has no name there.
  const lacking = compareWithClient(document).filter((difference) => difference.startsWith('client '));
  expect(lacking.map(withoutPlace)).toEqual([...CLIENT_ONLY, ...LATER_VERSION].map(withoutPlace));
}, 60_000);

test.runIf(contractAvailable)(
  'the table turns the whole contract into what the client knows',
  () => {
    expect(compareWithClient(contractInEcosystem())).toEqual(
      [...CLIENT_ONLY, ...LATER_VERSION, ...CONTRACT_ONLY, ...PROTOCOL_ONLY].sort(),
    );
  },
  60_000,
);
