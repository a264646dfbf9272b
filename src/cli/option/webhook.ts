import type { Database } from '../../db/database.js';
import type { EventType } from '../../protocol/event/social-event.js';
import type { Webhook } from '../../store/event/webhook.js';
import { isUuid } from '../../uuid.js';
import { UsageError } from '../terminal/command.js';

/** @returns the id of a webhook in lower case. @throws UsageError for other text */
export const readWebhookId = (text: unknown): string => {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`"${String(text)}" is no id of a webhook: \`castellan webhook list\` shows them.`);
};

/** @returns the type of `--type`. @throws UsageError for any but these */
export const readEventType = <Type extends EventType>(text: unknown, types: readonly Type[]): Type => {
  const type = types.find((one) => one === text);
  if (type !== undefined) return type;
  throw new UsageError(`--type takes one of ${types.join(', ')}, not "${String(text)}".`);
};

/** @returns a webhook of any app. @throws AppError `not_found`; also for one that was deleted */
export const findWebhook = async (db: Database, id: string): Promise<Webhook> => {
  const [{ selectWebhooksById }, { notFound }] = await Promise.all([
    import('../../store/event/webhook.js'),
    import('../../error.js'),
  ]);
  const [webhook] = await selectWebhooksById(db, [id]);
  if (webhook === undefined || webhook.deletedAt !== null) {
    throw notFound(`There is no webhook ${id}: \`castellan webhook list\` shows them.`, 'id');
  }
  return webhook;
};
