import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/**
 * Connects the official client to `/mcp` of a service.
 * @param mode `legacy` begins with `initialize`, as revisions up to 2025-11-25 do; `auto` uses the current one
 */
export const connectMcp = async (
  url: string,
  headers: Record<string, string>,
  mode: 'legacy' | 'auto' = 'auto',
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
};

export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
  /** What stands between the data tags. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of whatever came
  readonly data: any;
  /** Of the next page. */
  readonly cursor: string | undefined;
}

/** @returns the parts of a text of a tool or a resource */
export const readOutcome = (text: string, failed = false): ToolOutcome => {
  const section = /<(data-[0-9a-f]{12})>\n([\s\S]*)\n<\/\1>$/.exec(text);
  return {
    text,
    failed,
    data: section === null ? undefined : JSON.parse(section[2] as string),
    cursor: /cursor "([^"]+)"/.exec(text.split('\n', 1)[0] as string)?.[1],
  };
};

/** Calls a tool whose result is one text. */
export const callTool = async (client: Client, name: string, args: Record<string, unknown>): Promise<ToolOutcome> => {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  if (result.content.length !== 1 || content?.type !== 'text') throw new Error(`${name} has no single text`);
  return readOutcome(content.text, result.isError === true);
};
