import { useEffect, useRef, useState } from 'preact/hooks';
import { actorFid, approveAndAct, isActorMenuOpen, isApproved, SIGNERS, setActor } from '../api/actor.js';
import { CONSOLE } from '../api/base.js';
import { useApi } from '../api/query.js';
import { may } from '../api/session.js';
import { Problem, useAction } from './action.js';
import { Face } from './face.js';
import { Bones } from './state.js';

/** Accounts that one menu lists. */
const MOST = 100;

/** @returns names and pictures of accounts, by number */
const usePeople = (fids: readonly number[]) => {
  const read = useApi('/v2/social/user/bulk/', { fids: fids.join(',') } as never, {
    enabled: fids.length > 0,
    isListed: false,
  });
  return new Map((read.data?.users ?? []).map((user) => [user.fid, user]));
};

const Choice = ({
  fid,
  user,
  isOn,
  choose,
  disabled = false,
}: {
  readonly fid: number;
  readonly user:
    | { readonly username: string; readonly display_name?: string | null; readonly pfp_url?: string | null }
    | undefined;
  readonly isOn: boolean;
  readonly choose: () => void;
  readonly disabled?: boolean;
}) => (
  <button type="button" aria-pressed={isOn} disabled={disabled} onClick={choose}>
    <Face fid={fid} url={user?.pfp_url} />
    <span class="grow cut">
      <b>{user?.display_name || user?.username || `Account ${fid}`}</b>{' '}
      <span class="faint">@{user?.username ?? fid}</span>
    </span>
  </button>
);

/** On a local network every account may be chosen: its signer is made and approved with the click. */
const LocalAccounts = ({ known, close }: { readonly known: ReadonlySet<number>; readonly close: () => void }) => {
  const [typed, setTyped] = useState('');
  const { run, isBusy, error } = useAction();
  const read = useApi('/v1/fids', { shard_id: 1, pageSize: MOST }, { isListed: false });
  const fids = (read.data?.fids ?? []).filter((fid) => !known.has(fid));
  const people = usePeople(fids);
  const words = typed.toLowerCase();
  const shown = fids.filter((fid) => {
    const user = people.get(fid);
    return `${fid} ${user?.username} ${user?.display_name}`.toLowerCase().includes(words);
  });
  return (
    <>
      <div class="head-line">
        <b class="small">Any account of the local network</b>
        <span class="faint small">Its signer is made and approved with the click.</span>
        <input
          class="input"
          type="search"
          aria-label="Name of the account"
          placeholder="Name"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Problem text={error} />
      </div>
      {read.data ? null : <Bones rows={3} />}
      {shown.map((fid) => (
        <Choice
          key={fid}
          fid={fid}
          user={people.get(fid)}
          isOn={false}
          disabled={isBusy}
          choose={() => void run(() => approveAndAct(fid)).then((isDone) => isDone && close())}
        />
      ))}
    </>
  );
};

/** Who acts on this page: one of the accounts that have approved a signer of the app. */
export const ActAs = () => {
  const canWrite = may('write');
  const isOpen = isActorMenuOpen.value;
  const chosen = actorFid.value;
  const read = useApi(SIGNERS, undefined, { enabled: canWrite, isListed: isOpen });
  const approved = [...new Set((read.data?.signers ?? []).flatMap((one) => (isApproved(one) ? (one.fid ?? []) : [])))];
  const people = usePeople(approved);
  const element = useRef<HTMLDivElement>(null);
  const close = (): void => {
    isActorMenuOpen.value = false;
  };
  useEffect(() => close, []);
  useEffect(() => {
    const away = ({ target }: PointerEvent): void => {
      if (isActorMenuOpen.value && !element.current?.contains(target as Node)) close();
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, []);
  if (!canWrite) return null;
  const user = chosen === undefined ? undefined : people.get(chosen);
  const name = chosen === undefined ? undefined : user?.display_name || user?.username || `account ${chosen}`;
  const choose = (fid: number | undefined): void => {
    setActor(fid);
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes the menu wherever the focus is in it
    <div class="act-as" ref={element} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <button
        type="button"
        class="button"
        aria-expanded={isOpen}
        onClick={() => {
          isActorMenuOpen.value = !isOpen;
        }}
      >
        {chosen === undefined ? null : <Face fid={chosen} url={user?.pfp_url} />}
        {name === undefined ? 'Act as' : `Act as ${name}`}
        <span aria-hidden="true">▾</span>
      </button>
      {isOpen ? (
        <div class="card menu">
          {approved.map((fid) => (
            <Choice key={fid} fid={fid} user={people.get(fid)} isOn={fid === chosen} choose={() => choose(fid)} />
          ))}
          {chosen === undefined ? null : (
            <button type="button" onClick={() => choose(undefined)}>
              Nobody
            </button>
          )}
          {read.data?.is_local ? <LocalAccounts known={new Set(approved)} close={close} /> : null}
          {read.data && !read.data.is_local && approved.length === 0 ? (
            <p class="soft small pad">
              No account has approved a signer of this app yet.{' '}
              <a class="link" href={`${CONSOLE}/write`}>
                Create one
              </a>
            </p>
          ) : null}
          {read.error ? <Problem text={read.error.message} /> : null}
        </div>
      ) : null}
    </div>
  );
};
