import { useState } from 'preact/hooks';
import { actorFid, NOBODY_CHOSEN } from '../api/actor.js';

/** @returns what runs a write, whether it is running, and its error in the words of the service */
export const useAction = () => {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (problem) {
      setError((problem as Error).message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error };
};

export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text ? (
    <span class="problem" role="alert">
      {text}
    </span>
  ) : null;

/** The error of a button that acts for an account; that nobody is chosen is said until somebody is. */
export const ActorProblem = ({ text }: { readonly text: string | undefined }) =>
  text === NOBODY_CHOSEN && actorFid.value !== undefined ? null : <Problem text={text} />;

/** For what cannot be undone: its effect is said, and the name of the thing is typed first. */
export const DangerousAction = ({
  label,
  effect,
  name,
  work,
}: {
  readonly label: string;
  readonly effect: string;
  readonly name: string;
  readonly work: () => Promise<unknown>;
}) => {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { run, isBusy, error } = useAction();
  if (!isOpen)
    return (
      <button type="button" class="button danger" onClick={() => setOpen(true)}>
        {label}
      </button>
    );
  return (
    <form
      class="danger-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run(work).then((isDone) => isDone && setOpen(false));
      }}
    >
      <span class="small">
        {effect} Type <b>{name}</b> to go on.
      </span>
      <input
        class="input"
        aria-label={`Type ${name}`}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <button type="submit" class="button danger" disabled={isBusy || typed !== name}>
        {label}
      </button>
      <button type="button" class="button" onClick={() => setOpen(false)}>
        Keep it
      </button>
      <Problem text={error} />
    </form>
  );
};
