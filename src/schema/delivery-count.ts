import Type from 'typebox';

const MORE = '10,001 stands for more than 10,000.';

/** Deliveries of a webhook that are still to be sent. */
export const waitingDeliveries = Type.Integer({ minimum: 0, description: MORE });

/** Deliveries of a webhook that were given up. */
export const deadDeliveries = Type.Integer({
  minimum: 0,
  description: `Given up; a replay sends them again. ${MORE}`,
});
