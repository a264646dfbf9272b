import type { preValidationHookHandler } from 'fastify';
import Type, { type TObject } from 'typebox';
import { COMMA_SEPARATED } from '../http/comma-separated.js';

/** This service has one shard. */
const ONLY_SHARD = '1';

const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `fids[]` and `fids[0]`: how hubs write an item of a list. */
const LIST_ITEM = /^(\w+)\[\d{0,3}\]$/;

/** Gives items of lists the name of their list: `fids[]=1&fids[]=2` becomes `fids=1&fids=2`. */
const joinListItems = (received: Record<string, unknown>, lists: ReadonlySet<string>): void => {
  for (const [spelling, value] of Object.entries(received)) {
    const list = LIST_ITEM.exec(spelling)?.[1];
    if (list === undefined || !lists.has(list)) continue;
    received[list] = [received[list] ?? [], value].flat();
    delete received[spelling];
  }
};

/**
 * Hubs take query parameters in camel case and in snake case, and take a flag that is absent for false. A parameter that
 * is not read would answer another question than the one asked.
 * @param query parameters of an operation
 * @returns a hook that gives parameters in the other spelling, and items of lists, the name that the operation knows, and
 *   sets absent flags and an absent shard
 */
export const readAsHubs = (query: TObject): preValidationHookHandler => {
  const names = Object.keys(query.properties);
  const others = names.flatMap((name) =>
    [toCamelCase(name), toSnakeCase(name)].flatMap((other) => (names.includes(other) ? [] : [[other, name] as const])),
  );
  const flags = Object.entries(query.properties).flatMap(([name, schema]) =>
    Type.IsBoolean(schema) && query.required?.includes(name) ? [name] : [],
  );
  const lists = new Set(
    Object.entries(query.properties).flatMap(([name, schema]) =>
      COMMA_SEPARATED in schema ? [name, toSnakeCase(name)] : [],
    ),
  );
  return (request, _reply, done) => {
    const received = request.query as Record<string, unknown>;
    if (lists.size > 0) joinListItems(received, lists);
    for (const [other, name] of others) {
      if (received[other] === undefined) continue;
      received[name] ??= received[other];
      delete received[other];
    }
    for (const flag of flags) received[flag] ??= 'false';
    // Clients that are older than shards leave it out.
    if (names.includes('shard_id')) received.shard_id ??= ONLY_SHARD;
    done();
  };
};
