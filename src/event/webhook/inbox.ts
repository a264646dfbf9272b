/** Requests that stay, of all apps together. */
const MAX_REQUESTS = 100;
/** Characters of a body that are shown; the signature is of all. */
const MAX_SHOWN_BODY = 64 * 1024;

/** A request to the inbox, as a receiver of webhooks got it. */
export interface ReceivedRequest {
  readonly appId: string;
  readonly at: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The webhook whose secret made the signature; undefined: none of the app's has. */
  readonly webhook: { readonly id: string; readonly title: string } | undefined;
}

/** In place of a receiver in development: keeps the newest requests in memory. */
export const createWebhookInbox = () => {
  let requests: readonly ReceivedRequest[] = [];
  return {
    add: (request: ReceivedRequest): void => {
      requests = [{ ...request, body: request.body.slice(0, MAX_SHOWN_BODY) }, ...requests].slice(0, MAX_REQUESTS);
    },
    /** @returns the requests to an app's address, the newest first */
    of: (appId: string): ReceivedRequest[] => requests.filter((one) => one.appId === appId),
  };
};
export type WebhookInbox = ReturnType<typeof createWebhookInbox>;
