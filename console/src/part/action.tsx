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

/** Says the effect of something that cannot be undone, and does it once the name of the thing is typed. */
export const Confirmation = ({
  label,
  effect,
  name,
  work,
  leave,
  close,
}: {
  readonly label: string;
  readonly effect: string;
  readonly name: string;
  readonly work: () => Promise<unknown>;
  /** Says that nothing is done. */
  readonly leave: string;
  readonly close: () => void;
}) => {
  const [typed, setTyped] = useState('');
  const { run, isBusy, error } = useAction();
  return (
    <form
      class="danger-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run(work).then((isDone) => isDone && close());
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
      <button type="button" class="button" onClick={close}>
        {leave}
      </button>
      <Problem text={error} />
    </form>
  );
};

/** A button for what cannot be undone; it asks for a confirmation. */
export const DangerousAction = (action: {
  readonly label: string;
  readonly effect: string;
  readonly name: string;
  readonly work: () => Promise<unknown>;
}) => {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Confirmation {...action} leave="Keep it" close={() => setOpen(false)} />;
  return (
    <button type="button" class="button danger" onClick={() => setOpen(true)}>
      {action.label}
    </button>
  );
};
