import type { Basis } from '../hydrate/basis.js';
import type { LoadedPage, PageRequest } from '../hydrate/list-cache.js';
import { Rendered } from '../view/rendered.js';
import type { Services } from './service.js';

/**
 * Answers with a page of a list: the ids that the store names, the entities around them, their JSON. Pages and answers
 * are kept as long as they are right (`Lists`).
 * @param load reads the page from the store
 * @param view writes it down; what it reads through `hydrate` is noted when the basis is handed on
 */
export const answerList = async <Page>(
  { lists, dialect }: Services,
  request: PageRequest,
  load: () => Promise<LoadedPage<Page>>,
  view: (page: Page, basis: Basis | undefined) => Promise<Rendered>,
): Promise<Rendered> =>
  new Rendered(
    await lists.answer({ ...request, dialect }, load, async (page, basis) => (await view(page, basis)).body),
  );
