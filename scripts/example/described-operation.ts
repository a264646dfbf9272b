/** What of `/openapi.json` it takes to ask an operation. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly example?: unknown;
}
interface Written {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: { sample: { value: object } } }> };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
}

/** An operation with the request that its reference shows. */
export interface DescribedOperation {
  readonly id: string;
  /** In capital letters. */
  readonly method: string;
  /** With `{name}` where a parameter stands. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Undefined where the reference shows none. */
  readonly body: object | undefined;
}

/** @returns the operations in the order of the document */
export const describedOperations = ({ paths }: Document): DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.examples?.sample.value,
    })),
  );

/** What replaces parts of the request that the reference shows. */
export interface Changes {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the body of the reference: an object is sent as JSON. */
  readonly body?: object;
}

/** Where the examples of the reference say that the service is. */
export const EXAMPLE_HOST = '127.0.0.1:3000';

/**
 * @param host of the service, `127.0.0.1:41234`, in the place of that in the examples
 * @returns address and options of the request as the reference shows it, with the changes
 */
export const exampleRequest = (
  { method, path, parameters, body }: DescribedOperation,
  host: string,
  changes: Changes = {},
): { readonly url: string; readonly init: RequestInit } => {
  const here = (text: string): string => text.replaceAll(EXAMPLE_HOST, host);
  const examples = (place: Parameter['in']): [string, string][] =>
    parameters.flatMap(({ name, in: at, example }) =>
      at === place && example !== undefined ? [[name, here(String(example))]] : [],
    );
  const params: Record<string, string> = { ...Object.fromEntries(examples('path')), ...changes.params };
  const query = new URLSearchParams({ ...Object.fromEntries(examples('query')), ...changes.query });
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = `http://${host}${target}${query.size > 0 ? `?${query}` : ''}`;
  const headers: Record<string, string> = { ...Object.fromEntries(examples('header')), ...changes.headers };
  const sent = changes.body ?? body;
  if (sent === undefined) return { url, init: { method, headers } };
  if (sent instanceof FormData) return { url, init: { method, headers, body: sent } };
  const isBytes = sent instanceof Uint8Array;
  return {
    url,
    init: {
      method,
      headers: { 'content-type': isBytes ? 'application/octet-stream' : 'application/json', ...headers },
      body: isBytes ? Buffer.from(sent) : here(JSON.stringify(sent)),
    },
  };
};
