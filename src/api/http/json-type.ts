/** Media type of every answer of the interface itself. */
export const JSON_TYPE = 'application/json; charset=utf-8';
