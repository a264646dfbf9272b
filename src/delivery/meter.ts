/**
 * The kinds of delivery: events to the domains of mini apps, notifications to host apps, notifications of mini apps to
 * other hosts, or events to webhooks.
 */
export type DeliveryKind = 'host_event' | 'host_push' | 'campaign' | 'webhook';

/** Makes one attempt and measures its duration and outcome. @returns and throws as the attempt does */
export type DeliveryMeter = <Result>(kind: DeliveryKind, attempt: () => Promise<Result>) => Promise<Result>;
