import { useQuery } from '@tanstack/preact-query';
import { getUrl } from './client.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string | number | boolean;
  readonly schema: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: string | number | boolean;
  };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: { readonly sample?: { readonly value: unknown } } } | undefined>
    >;
  };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  /** JSON of a body; undefined: the operation takes none. */
  readonly body: string | undefined;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** Headers that the browser or every request of the console sets. */
const SET_ALREADY: ReadonlySet<string> = new Set(['cookie', 'origin', 'user-agent', 'x-castellan-console']);

const isGiven = ({ in: place, name }: Parameter): boolean => place !== 'header' || !SET_ALREADY.has(name.toLowerCase());

/** Most reads have the same two headers, which few need: they come last. */
const isExtra = ({ in: place, required }: Parameter): boolean => place === 'header' && !required;

const read = async (): Promise<readonly OperationView[]> => {
  const { paths } = await getUrl<OpenApi>('/openapi.json');
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): OperationView => {
      const content = operation.requestBody?.content['application/json'];
      const example = content?.examples?.sample?.value;
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        title: operation.summary ?? operation.operationId,
        description: operation.description ?? '',
        tag: operation.tags?.[0] ?? 'Other',
        parameters: (operation.parameters ?? [])
          .filter(isGiven)
          .sort((one, other) => Number(isExtra(one)) - Number(isExtra(other))),
        body: content ? JSON.stringify(example ?? {}, undefined, 2) : undefined,
      };
    }),
  );
};

/** All operations of the service, from its own description. */
export const useOperations = () =>
  useQuery({ queryKey: ['operations'], queryFn: read, staleTime: Number.POSITIVE_INFINITY });
