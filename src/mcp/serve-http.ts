import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, type McpOptions } from './server.js';

/**
 * Answers one message over streamable HTTP, with a server of its own.
 * @param body the parsed JSON
 * @param headers of the request; those that carry keys are not needed
 * @param signal aborted when the client disconnects
 */
export const answerMcp = async (
  request: { readonly body: unknown; readonly headers: Headers; readonly signal: AbortSignal },
  options: McpOptions,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> => {
  const handler = createMcpHandler(() => createMcpServer(options), {
    // Nothing changes that a client could be told of, so no connection is kept open for that.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  const { body, headers, signal } = request;
  const sent = new Request('http://castellan.invalid/mcp', { method: 'POST', headers, signal });
  const response = await handler.fetch(sent, { parsedBody: body });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
