import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';

export const COMMA_SEPARATED = 'x-comma-separated';
/** Marks a list that may also be given by repeating the parameter. */
export const REPEATABLE = 'x-repeatable';

/**
 * A query parameter with a list in one value, `fids=1,2,3`; the handler gets an array of items. Each item is trimmed,
 * converted and validated separately. The OpenAPI document has it as the contract: a string marked `x-comma-separated`, or with
 * `repeatable` an array that may also be given as `a=1&a=2`.
 * @param options `maxItems` is the maximum number of items
 */
export const commaSeparated = <Item extends TSchema>(
  item: Item,
  options: { readonly maxItems?: number; readonly description?: string; readonly repeatable?: boolean } = {},
): TUnsafe<Static<Item>[]> => {
  const { repeatable, ...rest } = options;
  return Type.Unsafe<Static<Item>[]>({
    type: 'array',
    items: item,
    minItems: 1,
    ...rest,
    [COMMA_SEPARATED]: true,
    ...(repeatable ? { [REPEATABLE]: true } : {}),
  });
};
