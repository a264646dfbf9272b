import { HandlerResponse } from '../http/operation.js';

/** @returns a response whose JSON was made by the hub's encoders, so its type is not that of the schema */
export const renderedJson = (body: object): HandlerResponse => new HandlerResponse(200, body);
