import { CONSOLE } from '../api/base.js';

/** Addresses of the console's pages. */
export const personPath = (fid: number): string => `${CONSOLE}/people/${fid}`;
export const castPath = (hash: string): string => `${CONSOLE}/casts/${hash}`;
export const channelPath = (id: string): string => `${CONSOLE}/channels/${encodeURIComponent(id)}`;
export const webhookPath = (id: string): string => `${CONSOLE}/webhooks/${id}`;
export const requestPath = (id: string): string => `${CONSOLE}/requests/${id}`;
