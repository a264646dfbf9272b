import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from './server.js';

/** Serves one client over standard input and output, until it closes the input. */
export const serveMcpStdio = (options: McpOptions): void => {
  serveStdio(() => createMcpServer(options), { maxSubscriptions: 0, onerror: options.failed });
};
