import type { Page } from '../hydrate/page.js';

/**
 * Renders items in order. An item that throws is left out and reported, so that it does not fail the whole page.
 * @param nameOf the item's name for the report: `user 3`
 * @param view renders one item; undefined if it must not be shown
 */
export const viewItems = <Item>(
  items: Iterable<Item>,
  page: Pick<Page, 'report'>,
  nameOf: (item: Item) => string,
  view: (item: Item) => string | undefined,
): string[] => {
  const rendered: string[] = [];
  for (const item of items) {
    try {
      const json = view(item);
      if (json !== undefined) rendered.push(json);
    } catch (error) {
      page.report(nameOf(item), error);
    }
  }
  return rendered;
};

/** @throws Error if the only entity of the response could not be rendered */
export const requireItem = (items: readonly string[], name: string): string => {
  const [item] = items;
  if (item === undefined) throw new Error(`${name} cannot be shown`);
  return item;
};
