import { useEffect, useRef } from 'preact/hooks';
import { APPROVED, actorFid, isActorMenuOpen, SIGNERS, setActor } from '../api/actor.js';
import { CONSOLE } from '../api/base.js';
import { useApi, usePeople } from '../api/query.js';
import { may } from '../api/session.js';
import { AccountChoice } from './account-choice.js';
import { LocalAccounts, OtherAccount } from './account-search.js';
import { Problem } from './action.js';
import { Face } from './face.js';

/** Who acts on this page: one of the accounts that have approved a signer of the app. */
export const ActAs = () => {
  const canWrite = may('write');
  const isOpen = isActorMenuOpen.value;
  const chosen = actorFid.value;
  const read = useApi(SIGNERS, APPROVED, { enabled: canWrite, isListed: isOpen });
  const signers = read.data?.signers ?? [];
  const approved = signers.flatMap(({ fid }) => fid ?? []);
  // The chosen one may be none of the newest.
  const listed = [...new Set(chosen === undefined ? approved : [chosen, ...approved])];
  const people = usePeople(listed);
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
          {listed.map((fid) => (
            <AccountChoice
              key={fid}
              fid={fid}
              user={people.get(fid)}
              isOn={fid === chosen}
              choose={() => choose(fid)}
            />
          ))}
          {chosen === undefined ? null : (
            <button type="button" onClick={() => choose(undefined)}>
              Nobody
            </button>
          )}
          {read.data?.is_local ? <LocalAccounts known={new Set(listed)} close={close} /> : null}
          {read.data && !read.data.is_local && signers.length >= APPROVED.limit ? <OtherAccount close={close} /> : null}
          {read.data && !read.data.is_local && listed.length === 0 ? (
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
