import { OTHER_WORDS } from '../../src/schema/string-enum.js';

/** Structural comparison of two JSON Schemas written in different ways (allOf or merged, anyOf or a list of types). */

type Json = Record<string, unknown>;

/** Finds what a `$ref` of one document points to. */
export type Resolve = (ref: string) => Json;

interface Alternative {
  readonly type: string;
  readonly values: string;
  readonly keywords: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: ReadonlySet<string>;
  readonly items: Json | undefined;
}

const KEYWORDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'default',
  'deprecated',
] as const;
/** Which type a keyword says something about; a keyword on `[string, null]` says nothing about null. */
const STRING_WORDS = ['minLength', 'maxLength', 'pattern'];

const own = (schema: Json, type: string): Alternative => {
  const keywords: Json = {};
  for (const word of KEYWORDS) {
    if (schema[word] === undefined) continue;
    if (type === 'null' || (type !== 'string' && STRING_WORDS.includes(word))) continue;
    keywords[word] = schema[word];
  }
  // A record says the shape of its members with a pattern that every name matches.
  const others = schema.additionalProperties ?? (schema.patternProperties as Json | undefined)?.['^.*$'];
  if (others !== undefined && others !== true) {
    keywords.closed = others === false;
  }
  const all = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const { [OTHER_WORDS]: unnamed = [] } = schema as { readonly [OTHER_WORDS]?: readonly unknown[] };
  const values = Array.isArray(all) ? all.filter((value) => !unnamed.includes(value)) : all;
  return {
    type,
    values: Array.isArray(values) ? JSON.stringify([...values].sort()) : '',
    keywords,
    properties: (schema.properties ?? {}) as Record<string, Json>,
    required: new Set((schema.required ?? []) as string[]),
    items: schema.items as Json | undefined,
  };
};

const both = (a: Alternative, b: Alternative): Alternative => ({
  type: a.type === 'any' ? b.type : a.type,
  values: a.values || b.values,
  keywords: { ...a.keywords, ...b.keywords },
  properties: { ...a.properties, ...b.properties },
  required: new Set([...a.required, ...b.required]),
  items: a.items ?? b.items,
});

const typeOfValues = (schema: Json): string => {
  const values = (schema.enum ?? (schema.const === undefined ? undefined : [schema.const])) as unknown[] | undefined;
  return values === undefined ? 'any' : typeof values[0];
};

/** @returns the alternatives that a schema allows, `allOf` merged and references followed. */
const alternatives = (schema: Json, resolve: Resolve): Alternative[] => {
  const types = schema.type === undefined ? [typeOfValues(schema)] : [schema.type].flat();
  let found = types.map((type) => own(schema, String(type)));
  const cross = (parts: Alternative[]) => {
    found = found.flatMap((left) => parts.map((right) => both(left, right)));
  };
  if (typeof schema.$ref === 'string') cross(alternatives(resolve(schema.$ref), resolve));
  for (const part of (schema.allOf ?? []) as Json[]) cross(alternatives(part, resolve));
  const branches = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (branches !== undefined) cross(branches.flatMap((branch) => alternatives(branch, resolve)));
  return found;
};

export interface Sides {
  readonly want: Resolve;
  readonly have: Resolve;
  /** Whether a member of either side is the same named shape, which is compared on its own. */
  readonly same: (want: Json, have: Json) => boolean;
  /** Whether an alternative or member that only we have stands at this place on purpose. */
  readonly added: (place: string) => boolean;
}

const pairsInFlight = new Map<Json, Set<Json>>();

const compareOne = (want: Alternative, have: Alternative, sides: Sides, at: string): string[] => {
  const lines: string[] = [];
  const differ = (what: string, x: unknown, y: unknown) => {
    const [a, b] = [JSON.stringify(x), JSON.stringify(y)];
    if (a !== b) lines.push(`${at}: ${what} is ${b}, the contract says ${a}`);
  };
  differ('type', want.type, have.type);
  differ('enum', want.values, have.values);
  for (const word of [...KEYWORDS, 'closed']) differ(word, want.keywords[word], have.keywords[word]);
  for (const [name, member] of Object.entries(want.properties)) {
    const mine = have.properties[name];
    if (mine === undefined) lines.push(`${at}.${name}: missing`);
    else if (!sides.same(member, mine)) lines.push(...difference(member, mine, sides, `${at}.${name}`));
  }
  for (const name of Object.keys(have.properties)) {
    if (want.properties[name] === undefined && !sides.added(`${at}.${name}`)) lines.push(`${at}.${name}: added`);
  }
  for (const name of new Set([...want.required, ...have.required])) {
    if (want.required.has(name) !== have.required.has(name)) {
      lines.push(`${at}.${name}: ${have.required.has(name) ? 'required here only' : 'required by the contract only'}`);
    }
  }
  if ((want.items === undefined) !== (have.items === undefined)) lines.push(`${at}[]: described on one side only`);
  else if (want.items && have.items && !sides.same(want.items, have.items))
    lines.push(...difference(want.items, have.items, sides, `${at}[]`));
  return lines;
};

/** @returns one line for each way in which `have` is not `want`; empty when both describe the same values. */
export const difference = (want: Json, have: Json, sides: Sides, at: string): string[] => {
  const partners = pairsInFlight.get(want) ?? new Set();
  // A shape that holds itself comes back to a pair that is being compared already.
  if (partners.has(have)) return [];
  pairsInFlight.set(want, partners.add(have));
  try {
    const wanted = alternatives(want, sides.want);
    const rest = alternatives(have, sides.have);
    const lines: string[] = [];
    for (const one of wanted) {
      const scored = rest.map((mate) => ({ mate, found: compareOne(one, mate, sides, at) }));
      const best = scored.sort((x, y) => x.found.length - y.found.length)[0];
      if (best === undefined) lines.push(`${at}: an alternative of the contract is missing (${one.type})`);
      else {
        lines.push(...best.found);
        rest.splice(rest.indexOf(best.mate), 1);
      }
    }
    for (const mate of rest) if (!sides.added(at)) lines.push(`${at}: an alternative was added (${mate.type})`);
    return lines;
  } finally {
    partners.delete(have);
  }
};
