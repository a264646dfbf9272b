import type { ComponentChildren } from 'preact';
import { useApi } from '../api/query.js';
import { Mono } from './copy.js';
import { Loading } from './state.js';

const Check = ({ children }: { readonly children: ComponentChildren }) => (
  <div>
    <i aria-hidden="true">✓</i>
    <span class="grow">{children}</span>
  </div>
);

/** The message as its author signed it, and what the service checked before it stored it. */
export const SignedMessage = ({ fid, hash }: { readonly fid: number; readonly hash: string }) => {
  const read = useApi('/v1/castById', { fid, hash });
  return (
    <Loading read={read} what="The signed message" rows={2}>
      {(message) => (
        <>
          <div class="checks">
            <Check>
              <b>Hash</b> is BLAKE3 of the signed bytes: <Mono text={message.hash} />
            </Check>
            <Check>
              <b>Signature</b> (Ed25519) is by the key <Mono text={message.signer} />
            </Check>
            <Check>
              <b>Key</b> was one of account {message.data.fid} when the message was stored
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
