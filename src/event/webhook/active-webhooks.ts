import type { Reader, Session } from '../../db/statement.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import type { Dialect } from '../../schema/wire-names.js';
import { selectWebhooksById, selectWebhookVersions } from '../../store/event/webhook.js';
import { ChannelAliases } from '../channel-alias.js';
import { Matcher } from '../matcher.js';
import type { Recipient } from '../outgoing.js';
import { afterRow } from '../position.js';

/** A webhook as the dispatcher needs it. */
export interface ActiveWebhook extends Recipient {
  readonly id: string;
}

/** The active webhooks of all apps in a matcher. */
export class ActiveWebhooks {
  readonly #db: Session & Reader;
  readonly #aliases = new ChannelAliases();
  readonly #known = new Map<string, { readonly version: number; readonly remove: () => void }>();
  readonly matcher = new Matcher<ActiveWebhook>(this.#aliases.of);

  constructor(db: Session & Reader) {
    this.#db = db;
  }

  get size(): number {
    return this.#known.size;
  }

  /**
   * Applies what has changed in the database. Call it after reading a page of the log: otherwise a webhook that was
   * created just before an event of the page would miss it.
   */
  async refresh(): Promise<void> {
    const versions = await selectWebhookVersions(this.#db);
    const current = new Map(versions.map(({ id, version }) => [id, version]));
    for (const [id, { version }] of this.#known) if (current.get(id) !== version) this.#remove(id);
    const missing = versions.filter(({ id }) => !this.#known.has(id)).map(({ id }) => id);
    if (missing.length === 0) return;
    const webhooks = await selectWebhooksById(this.#db, missing);
    await this.#aliases.load(
      this.#db,
      webhooks.map(({ filters }) => filters as WebhookSubscriptionFilters),
    );
    for (const { id, appId, dialect, afterLogId, filters, version } of webhooks) {
      const target = { id, appId, dialect: dialect as Dialect, position: afterRow(afterLogId) };
      const remove = this.matcher.add(filters as WebhookSubscriptionFilters, target);
      this.#known.set(id, { version, remove });
    }
  }

  #remove(id: string): void {
    this.#known.get(id)?.remove();
    this.#known.delete(id);
  }
}
