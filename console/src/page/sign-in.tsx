import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { CONSOLE } from '../api/base.js';
import { signIn } from '../api/session.js';
import { Castle } from '../part/icon.js';

/** @param link token of the link that `castellan dev` prints */
export const SignIn = ({ link }: { readonly link: string | undefined }) => {
  const { route, url } = useLocation();
  const [key, setKey] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const enter = async (by: Parameters<typeof signIn>[0]): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(by);
      const target = new URL(url, location.origin);
      target.searchParams.delete('link');
      route(target.pathname === CONSOLE ? `${CONSOLE}/` : `${target.pathname}${target.search}`, true);
    } catch (problem) {
      setError((problem as Error).message);
      if (link) route(`${CONSOLE}/`, true);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    document.title = 'Sign in · Castellan';
    if (link) void enter({ link });
  }, [link]);

  return (
    <main class="gate-page">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void enter({ api_key: key });
        }}
      >
        <div class="mark">
          <Castle />
          Castellan
        </div>
        <div>
          <h1>Sign in with an API key</h1>
          <p class="soft">
            The key decides what you see and may do. It is exchanged for a session of eight hours, and not kept in this
            browser.
          </p>
        </div>
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            class="input mono"
            type="password"
            autocomplete="off"
            required
            value={key}
            aria-describedby="key-help"
            aria-invalid={error !== undefined}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
          <span class="help" id="key-help">
            Started with <code>castellan dev</code>? The terminal shows a link that signs you in. Elsewhere{' '}
            <code>castellan key create</code> makes a key.
          </span>
          {error ? (
            <span class="problem" role="alert">
              {error}
            </span>
          ) : null}
        </div>
        <button type="submit" class="button first" disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
};
