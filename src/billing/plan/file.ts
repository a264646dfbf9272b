import { Ajv, type ErrorObject } from 'ajv';
import Type, { type Static } from 'typebox';

const integerOrNull = (minimum: number, maximum: number) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum });
const paymentId = Type.String({ minLength: 1, maxLength: 255 });

const PlanEntry = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }),
    name: Type.String({ minLength: 1, maxLength: 60, pattern: '^\\S(.*\\S)?$' }),
    category: Type.Unsafe<'API' | 'STUDIO'>({ type: 'string', enum: ['API', 'STUDIO'] }),
    tier: Type.String({ minLength: 1, maxLength: 60 }),
    priceCents: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
    // Credits are divided by the units, so 0 is not valid.
    units: integerOrNull(1, 1_000_000_000_000_000),
    requestsPerMinute: integerOrNull(1, 1_000_000),
    webhooks: integerOrNull(0, 1_000_000),
    apps: integerOrNull(0, 1_000_000),
    paymentPriceId: Type.Optional(paymentId),
    paymentProductId: Type.Optional(paymentId),
    offered: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type PlanEntry = Static<typeof PlanEntry>;

const PlanFile = Type.Object(
  { plans: Type.Array(PlanEntry, { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
);

/** Problems of a plan file with their paths: `plans[2].priceCents must be >= 0`. */
export class PlanFileError extends Error {
  override readonly name = 'PlanFileError';
}

const MAX_PROBLEMS = 5;
const validate = new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true }).compile<
  Static<typeof PlanFile>
>(PlanFile);

/** @returns `plans[2].priceCents` for `/plans/2/priceCents` */
const formatPointer = (pointer: string): string =>
  pointer
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '') || 'the document';

const detailOf = ({ keyword, params }: ErrorObject): string => {
  if (keyword === 'additionalProperties') return `: "${String(params.additionalProperty)}" is not known`;
  return keyword === 'enum' ? `: ${(params.allowedValues as readonly string[]).join(', ')}` : '';
};

const shapeProblems = (): string[] =>
  (validate.errors ?? []).map((error) => `${formatPointer(error.instancePath)} ${error.message}${detailOf(error)}`);

const repeated = (plans: readonly PlanEntry[]): string[] => {
  const seen = new Map<string, number>();
  return plans.flatMap(({ id, name, category }, index) =>
    [
      ['id', `id ${id}`],
      ['name', `name ${category} ${name.toLowerCase()}`],
    ].flatMap(([member, word = '']) => {
      const first = seen.get(word);
      if (first === undefined) seen.set(word, index);
      return first === undefined ? [] : [`plans[${index}].${member} is that of plans[${first}] too`];
    }),
  );
};

/**
 * Reads `{"plans": [...]}`, described in docs/billing.md.
 * @throws PlanFileError naming the first problems
 */
export const parsePlanFile = (text: string): readonly PlanEntry[] => {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new PlanFileError(`is not JSON: ${(error as Error).message}`);
  }
  const plans = validate(document) ? document.plans : undefined;
  const problems = plans ? repeated(plans) : shapeProblems();
  if (plans && problems.length === 0) return plans;
  const rest = problems.length > MAX_PROBLEMS ? ` (and ${problems.length - MAX_PROBLEMS} more)` : '';
  throw new PlanFileError(`is no list of plans: ${problems.slice(0, MAX_PROBLEMS).join('; ')}${rest}`);
};
