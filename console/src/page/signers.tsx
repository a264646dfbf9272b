import { useState } from 'preact/hooks';
import { APPROVED, SIGNERS } from '../api/actor.js';
import { write } from '../api/client.js';
import { refresh, useApi } from '../api/query.js';
import { useRequestId } from '../api/request-id.js';
import type { components } from '../api/schema.js';
import { Problem, useAction } from '../part/action.js';
import { Mono } from '../part/copy.js';
import { castPath, personPath } from '../part/link.js';
import { Card, Chip, Page, type Tone } from '../part/page.js';
import { Empty, Loading } from '../part/state.js';
import { counted } from '../part/text.js';

type Signer = components['schemas']['Signer'];

const STATES: Readonly<Record<Signer['status'], readonly [tone: Tone, words: string]>> = {
  generated: ['warn', 'Not asked for yet'],
  pending_approval: ['warn', 'Waits for its account'],
  approved: ['ok', 'Approved'],
  revoked: ['plain', 'Revoked'],
};

/** On the local network, any account approves with one click. */
const Approve = ({ signer }: { readonly signer: Signer }) => {
  const [fid, setFid] = useState('1');
  const { run, isBusy, error } = useAction();
  const approve = () =>
    run(async () => {
      await write('post', '/portal/signer/approve', { signer_uuid: signer.signer_uuid, fid: Number(fid) });
      await refresh(SIGNERS);
    });
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void approve();
      }}
    >
      <input
        class="input short"
        type="number"
        min={1}
        required
        aria-label="Account that approves"
        value={fid}
        onInput={({ currentTarget }) => setFid(currentTarget.value)}
      />
      <button type="submit" class="button" disabled={isBusy}>
        Approve as this account
      </button>
      <Problem text={error} />
    </form>
  );
};

const CastForm = ({ signers }: { readonly signers: readonly Signer[] }) => {
  const [uuid, setUuid] = useState(signers[0]?.signer_uuid ?? '');
  const [text, setText] = useState('');
  const [hash, setHash] = useState<string>();
  const { idFor, succeeded } = useRequestId();
  const { run, isBusy, error } = useAction();
  const cast = () =>
    run(async () => {
      setHash(undefined);
      const body = { signer_uuid: uuid, text };
      const sent = await write('post', '/v2/social/cast/', { ...body, idem: idFor(body) } as never);
      succeeded();
      setHash(sent.cast.hash);
      setText('');
    });
  return (
    <form
      class="form pad"
      onSubmit={(event) => {
        event.preventDefault();
        void cast();
      }}
    >
      <div class="field">
        <label for="cast-signer">As</label>
        <select
          id="cast-signer"
          class="input"
          value={uuid}
          onChange={({ currentTarget }) => setUuid(currentTarget.value)}
        >
          {signers.map((one) => (
            <option key={one.signer_uuid} value={one.signer_uuid}>
              account {one.fid}, signer {one.signer_uuid.slice(0, 8)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="cast-text">Text</label>
        <textarea
          id="cast-text"
          class="input"
          rows={3}
          required
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="help">Signed by the service with the key of the signer, and sent to the network.</span>
      </div>
      <Problem text={error} />
      <div class="row">
        <button type="submit" class="button first" disabled={isBusy}>
          Cast
        </button>
        {hash ? (
          <span role="status">
            Sent.{' '}
            <a class="link" href={castPath(hash)}>
              See the cast
            </a>
          </span>
        ) : null}
      </div>
    </form>
  );
};

/** Keys with which this app writes for accounts. */
export const Signers = () => {
  const read = useApi(SIGNERS, undefined, { every: 15_000 });
  const signers = read.data?.signers ?? [];
  const approved = useApi(SIGNERS, APPROVED, { every: 15_000 }).data?.signers;
  const most = approved !== undefined && approved.length >= APPROVED.limit ? ' and more' : '';
  const { run, isBusy, error } = useAction();
  const create = () =>
    run(async () => {
      await write('post', '/v2/social/signer/');
      await refresh(SIGNERS);
    });
  return (
    <Page
      title={approved ? `${counted(approved.length, 'signer')}${most} can write` : 'Signers'}
      note="A signer is a key that an account has approved: with it, your app casts, likes and follows for the account."
      actions={
        <>
          <button type="button" class="button first" disabled={isBusy} onClick={() => void create()}>
            Create a signer
          </button>
          <Problem text={error} />
        </>
      }
    >
      {approved && approved.length > 0 ? (
        <Card title="Write a cast">
          <CastForm key={approved.length} signers={approved} />
        </Card>
      ) : null}
      <Card title={signers.length >= APPROVED.limit ? `The newest ${APPROVED.limit} signers` : 'Signers'}>
        <Loading read={read} what="The signers">
          {({ is_local: isLocal }) =>
            signers.length === 0 ? (
              <Empty title="No signer yet" request="-X POST $URL/v2/social/signer/">
                Create one, let an account approve it, and cast.
              </Empty>
            ) : (
              <div class="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>Signer</th>
                      <th>State</th>
                      <th>Account</th>
                      <th>Next</th>
                    </tr>
                  </thead>
                  <tbody>
                    {signers.map((one) => {
                      const [tone, words] = STATES[one.status];
                      const isOpen = one.status === 'generated' || one.status === 'pending_approval';
                      return (
                        <tr key={one.signer_uuid}>
                          <td>
                            <Mono text={one.signer_uuid} />
                            <div class="faint small">
                              key <Mono text={one.public_key} />
                            </div>
                          </td>
                          <td>
                            <Chip tone={tone}>{words}</Chip>
                          </td>
                          <td>{one.fid ? <a href={personPath(one.fid)}>account {one.fid}</a> : null}</td>
                          <td>
                            {isOpen && isLocal ? <Approve signer={one} /> : null}
                            {isOpen && one.signer_approval_url ? (
                              <a class="link" href={one.signer_approval_url}>
                                Approval page
                              </a>
                            ) : null}
                            {isOpen && !isLocal && !one.signer_approval_url ? (
                              <span class="soft small">Sign a key request with the account of your app</span>
                            ) : null}
                          </td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loading>
      </Card>
    </Page>
  );
};
