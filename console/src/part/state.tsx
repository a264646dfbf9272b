import type { ComponentChildren } from 'preact';
import { SERVICE_URL } from '../api/base.js';
import { ServiceError } from '../api/client.js';
import { CopyButton } from './copy.js';

/** Shapes in the place of what is loading; they show after 150 ms. */
export const Bones = ({ rows = 5 }: { readonly rows?: number }) => (
  <div class="list bones" aria-busy="true" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, n) => (
      <div key={n}>
        <span class="face bone" />
        <div class="grow form">
          <div class={`bone ${n % 2 ? 'w52' : 'w71'}`} />
          <div class={`bone ${n % 2 ? 'w34' : 'w52'}`} />
        </div>
      </div>
    ))}
  </div>
);

/** What could not be read, why, and what happens next. */
export const Failure = ({ what, error }: { readonly what: string; readonly error: Error }) => {
  const { status, requestId } = error instanceof ServiceError ? error : { status: undefined, requestId: undefined };
  return (
    <div class="note" role="alert">
      <div class="grow">
        <b>{what} could not be read</b>
        <div class="soft small">
          {error.message}
          {status === 0 ? ' It is tried again by itself.' : ''}
          {requestId ? (
            <>
              {' Request '}
              <span class="mono">{requestId}</span>
            </>
          ) : null}
        </div>
      </div>
    </div>
  );
};

/** What a list is for while it has nothing, and how the first one is made. */
export const Empty = ({
  title,
  children,
  request,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The same as a request: method, path and body. */
  readonly request?: string;
}) => {
  const line = request && `curl -H "x-api-key: $KEY" ${request.replaceAll('$URL', SERVICE_URL)}`;
  return (
    <div class="empty">
      <b>{title}</b>
      <div class="soft">{children}</div>
      {line ? (
        <>
          <pre class="pre">{line}</pre>
          <CopyButton text={line} />
        </>
      ) : null}
    </div>
  );
};

interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** Of a list: what failed is its next page, whose button says so. */
  readonly isFetchNextPageError?: boolean;
}

/** Shows what was read, or why it is not there. What was read before stays while the next read fails. */
export const Loading = <Data,>({
  read,
  what,
  rows,
  children,
}: {
  readonly read: Loaded<Data>;
  readonly what: string;
  readonly rows?: number;
  readonly children: (data: Data) => ComponentChildren;
}) => (
  <>
    {read.error && !read.isFetchNextPageError ? <Failure what={what} error={read.error} /> : null}
    {read.data !== undefined ? children(read.data) : read.error ? null : <Bones {...(rows ? { rows } : {})} />}
  </>
);
