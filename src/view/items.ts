import type { Hydration } from '../hydrate/hydrate.js';
import type { JsonWriter } from './json-writer.js';

/**
 * Writes those of the items that can be written, in order, with commas between. An item that throws is left out and
 * reported, so that it does not fail the page that holds it.
 * @param nameOf what the item is, for the report: `user 3`
 * @param write writes one item. @returns false: it is not to be shown; what was written of it is taken back
 * @returns how many were written
 */
export const writeItems = <Item>(
  json: JsonWriter,
  items: Iterable<Item>,
  page: Pick<Hydration, 'report'>,
  nameOf: (item: Item) => string,
  write: (item: Item) => boolean,
): number => {
  let written = 0;
  for (const item of items) {
    const start = json.length;
    let isWritten = false;
    try {
      if (written > 0) json.text(',');
      isWritten = write(item);
    } catch (error) {
      page.report(nameOf(item), error);
    }
    if (isWritten) written++;
    else json.back(json.length - start);
  }
  return written;
};

/** @throws Error for an answer that is about one entity, which could not be written */
export const requireWritten = (count: number, name: string): void => {
  if (count === 0) throw new Error(`${name} cannot be shown`);
};
