import { Rendered } from '../../view/rendered.js';

/** @returns an answer whose shape the hub's JSON writers decide, not the types of the schema. */
export const renderedJson = (body: object): Rendered => new Rendered(Buffer.from(JSON.stringify(body)));
