import ts from 'typescript';
import { z } from 'zod';
import { type ClientCall, openClientTypes } from './client-types.js';

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** Alternatives that the client's generator merged into one type with the members of each: one of these is there. */
const MERGED: Readonly<Record<string, readonly string[]>> = {
  Embed: ['cast', 'url'],
  EmbedDeep: ['cast', 'url'],
  SimulateNftMintResponseInnerRecipient: ['address', 'fid'],
};

/** Where the client's types differ from what its service and hubs send. */
const DIFFERENCES: readonly RegExp[] = [
  // Hubs write REACTION_TYPE_LIKE.
  /reactionBody\.type: .*"Like"/,
  // Hubs have types of user data and of storage units that came after the client's list.
  /userDataBody\.type: .*"USER_DATA_TYPE_PFP"/,
  /unitDetails\.unitType: /,
  // "An unknown token yields null at its position", says the contract.
  /^tokens\.\d+: .*received null/,
];

/** Turns types of TypeScript into decoders of zod: once for each type, as types of casts and users contain themselves. */
const decoders = (checker: ts.TypeChecker) => {
  const made = new Map<ts.Type, z.ZodType>();
  const decoderOf = (type: ts.Type): z.ZodType => {
    const known = made.get(type);
    if (known) return known;
    made.set(
      type,
      z.lazy(() => made.get(type) as z.ZodType),
    );
    const decoder = make(type);
    made.set(type, decoder);
    return decoder;
  };

  const member = (symbol: ts.Symbol): z.ZodType => {
    const decoder = decoderOf(checker.getTypeOfSymbol(symbol));
    return symbol.flags & ts.SymbolFlags.Optional ? decoder.optional() : decoder;
  };
  const object = (type: ts.Type): z.ZodType => {
    const merged = MERGED[type.symbol?.name ?? ''];
    if (merged) {
      const shape = type.getProperties().map((symbol) => [symbol.name, member(symbol).optional()]);
      const isOne = (value: object): boolean => merged.some((name) => name in value);
      return z.object(Object.fromEntries(shape)).refine(isOne, `expected ${merged.join(' or ')}`);
    }
    const shape = Object.fromEntries(type.getProperties().map((symbol) => [symbol.name, member(symbol)]));
    const rest = type.getStringIndexType();
    return rest ? z.object(shape).catchall(decoderOf(rest)) : z.object(shape);
  };
  const make = (type: ts.Type): z.ZodType => {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return z.unknown();
    if (type.flags & ts.TypeFlags.Undefined) return z.undefined();
    if (type.flags & ts.TypeFlags.Null) return z.null();
    if (type.isStringLiteral() || type.isNumberLiteral()) return z.literal(type.value);
    if (type.flags & ts.TypeFlags.BooleanLiteral) return z.literal(checker.typeToString(type) === 'true');
    if (type.isUnion()) return z.union(type.types.map(decoderOf));
    if (type.flags & ts.TypeFlags.NonPrimitive) return z.looseObject({});
    if (type.flags & ts.TypeFlags.String) return z.string();
    if (type.flags & ts.TypeFlags.Number) return z.number();
    // Arrays, what extends them, and sets, which are arrays in JSON.
    const item =
      type.symbol?.name === 'Set' ? checker.getTypeArguments(type as ts.TypeReference)[0] : type.getNumberIndexType();
    if (item) return z.array(decoderOf(item));
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return object(type);
    throw new Error(`no decoder for ${checker.typeToString(type)}`);
  };
  return decoderOf;
};

/** The paths of issues in a value, those of the alternative of a union that comes furthest. */
const faultsOf = ({ path, message, ...issue }: z.core.$ZodIssue, before: readonly PropertyKey[] = []): string[] => {
  const place = [...before, ...path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [`${place.join('.')}: ${message}`];
  const alternatives = issue.errors.map((issues) => issues.flatMap((one) => faultsOf(one as z.core.$ZodIssue, place)));
  const depth = (faults: readonly string[]): number => Math.max(...faults.map((fault) => fault.split('.').length));
  return alternatives.reduce((best, one) => (depth(one) > depth(best) ? one : best));
};

/** What a program that decodes strictly says of a response. */
export type ClientDecoder = (method: string, path: string, body: unknown) => string[];

let opened: ClientDecoder | undefined;

/**
 * Makes decoders of all responses that the types of the public client declare: every member that is not optional must
 * be there, and each value be of its type. Members that the client does not know are allowed, as later versions have
 * more of them.
 *
 * @returns a function that names what a response lacks; it takes an operation's path with or without its slash
 */
export const openClientDecoder = (): ClientDecoder => {
  opened ??= makeDecoder();
  return opened;
};

const makeDecoder = (): ClientDecoder => {
  const { calls, checker } = openClientTypes();
  const decoderOf = decoders(checker);
  const keyOf = ({ method, path }: Pick<ClientCall, 'method' | 'path'>): string =>
    `${method.toUpperCase()} ${withoutSlash(path)}`;
  const byOperation = new Map(calls.map((call) => [keyOf(call), call]));
  return (method, path, body) => {
    const type = byOperation.get(keyOf({ method, path }))?.response;
    const result = type && decoderOf(type).safeParse(body);
    const faults = result?.error?.issues.flatMap((issue) => faultsOf(issue)) ?? [];
    return faults.filter((fault) => !DIFFERENCES.some((difference) => difference.test(fault)));
  };
};
