import { useEffect, useState } from 'preact/hooks';
import { actAs } from '../api/actor.js';
import { useApi, usePeople } from '../api/query.js';
import { AccountChoice } from './account-choice.js';
import { Problem, useAction } from './action.js';
import { Bones } from './state.js';

/** Accounts that show before anything is typed. */
const FIRST = 25;
/** The most that a search returns. */
const MOST = 10;
/** After the last key. */
const PAUSE_MS = 150;

/** @returns the text once it has not changed for a moment */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

interface Accounts {
  /** undefined: not read yet, or not readable. */
  readonly fids?: readonly number[] | undefined;
  readonly error: Error | null;
}

/** @returns the accounts that a name or number means, and the first ones for '' */
const useAccounts = (words: string): Accounts => {
  const isSearch = words !== '';
  const first = useApi('/v1/fids', { shard_id: 1, pageSize: FIRST }, { enabled: !isSearch, isListed: false });
  const search = useApi('/v2/social/user/search/', { q: words, limit: MOST }, { enabled: isSearch, isListed: false });
  if (!isSearch) return { fids: first.data?.fids, error: first.error };
  const found = search.data?.result.users.map(({ fid }) => fid);
  // An account without a profile has no name, and is there nevertheless.
  const typed = /^[1-9]\d{0,14}$/.test(words) ? [Number(words)] : [];
  return { fids: found && [...new Set([...typed, ...found])], error: search.error };
};

interface SearchProps {
  /** Accounts that the menu lists already. */
  readonly known: ReadonlySet<number>;
  readonly close: () => void;
}

/** On a local network every account may be chosen: its signer is made and approved with the click. */
export const LocalAccounts = ({ known, close }: SearchProps) => {
  const [typed, setTyped] = useState('');
  const words = useSettled(typed.trim());
  const { run, isBusy, error } = useAction();
  const read = useAccounts(words);
  const fids = (read.fids ?? []).filter((fid) => !known.has(fid));
  const people = usePeople(fids);
  const isLooking = (read.fids === undefined && read.error === null) || words !== typed.trim();
  return (
    <>
      <div class="head-line">
        <b class="small">Any account of the local network</b>
        <span class="faint small">Its signer is made and approved with the click.</span>
        <input
          class="input"
          type="search"
          aria-label="Name or number of the account"
          placeholder="Name or number"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Problem text={error ?? read.error?.message} />
      </div>
      {isLooking ? (
        <Bones rows={3} />
      ) : (
        fids.map((fid) => (
          <AccountChoice
            key={fid}
            fid={fid}
            user={people.get(fid)}
            disabled={isBusy}
            choose={() => void run(() => actAs(fid, true)).then((isDone) => isDone && close())}
          />
        ))
      )}
      {!isLooking && read.fids !== undefined && fids.length === 0 ? (
        <p class="soft small pad">No other account has a name like this.</p>
      ) : null}
    </>
  );
};

/** Where more accounts have approved a signer than one list has: one of the others, by its number. */
export const OtherAccount = ({ close }: Pick<SearchProps, 'close'>) => {
  const [fid, setFid] = useState('');
  const { run, isBusy, error } = useAction();
  return (
    <form
      class="head-line"
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => actAs(Number(fid), false)).then((isDone) => isDone && close());
      }}
    >
      <span class="faint small">These have the newest signers. Another account is chosen by its number.</span>
      <div class="row">
        <input
          class="input short"
          type="number"
          min={1}
          required
          aria-label="Number of the account"
          value={fid}
          onInput={({ currentTarget }) => setFid(currentTarget.value)}
        />
        <button type="submit" class="button" disabled={isBusy}>
          Act as it
        </button>
      </div>
      <Problem text={error} />
    </form>
  );
};
