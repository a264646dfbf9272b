import type { ComponentChildren } from 'preact';
import { useApi } from '../api/query.js';
import { Mono } from './copy.js';
import { personPath } from './link.js';
import { Loading } from './state.js';
import { TimeAgo } from './time.js';

const Check = ({ isRight = true, children }: { readonly isRight?: boolean; readonly children: ComponentChildren }) => (
  <div>
    <i class={isRight ? undefined : 'cross'} aria-hidden="true">
      {isRight ? '✓' : '✗'}
    </i>
    <span class="grow">{children}</span>
  </div>
);

/** The message as its author signed it, and a check of it that the service makes now. */
export const SignedMessage = ({ fid, hash }: { readonly fid: number; readonly hash: string }) => {
  const read = useApi('/portal/cast-check', { fid, hash });
  return (
    <Loading read={read} what="The signed message" rows={2}>
      {({ message, is_valid: isValid, problem, key }) => (
        <>
          <div class="checks">
            {isValid ? (
              <>
                <Check>
                  <b>Hash</b> is BLAKE3 of the signed bytes: <Mono text={message.hash} />
                </Check>
                <Check>
                  <b>Signature</b> (Ed25519) is by the key <Mono text={message.signer} />
                </Check>
              </>
            ) : (
              <Check isRight={false}>
                <b>Not valid:</b> {problem}
              </Check>
            )}
            <Check isRight={key?.is_active === true}>
              <b>Key</b>{' '}
              {key === null ? (
                <>is none of account {message.data.fid}</>
              ) : key.is_active ? (
                <>
                  is one of account {message.data.fid}, added <TimeAgo at={key.decided_at} />
                  {key.app_fid === null ? null : (
                    <>
                      {' '}
                      for <a href={personPath(key.app_fid)}>account {key.app_fid}</a>
                    </>
                  )}
                </>
              ) : (
                <>
                  was taken from account {message.data.fid} <TimeAgo at={key.decided_at} />
                </>
              )}
            </Check>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
          <pre class="pre" tabIndex={0}>
            {JSON.stringify(message, undefined, 2)}
          </pre>
        </>
      )}
    </Loading>
  );
};
