import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { keepKey } from '../api/sessionKey.ts';
import { useAction } from '../api/useAction.ts';
import icon from '../icon.svg';
import { Button } from '../parts/Button.tsx';
import { ErrorNotice, Notice } from '../parts/Notice.tsx';
import { TextField } from '../parts/TextField.tsx';
import './signIn.css';

/** A key that could stand in a header at all. */
const isKey = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text);

export function SignIn({ why, onSignedIn }: { readonly why: string | undefined; onSignedIn(): void }) {
  const [key, setKey] = useState('');
  const signIn = useAction(async () => {
    const given = key.trim();
    if (!isKey(given)) throw new ApiError(403, 'This is no API key: a key is printable ASCII without blanks.');
    await call('GET', '/installation', { key: given });
    keepKey(given);
    onSignedIn();
  });
  useEffect(() => {
    document.title = 'Sign in · Midroll';
  }, []);
  return (
    <main class="sign-in">
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          void signIn.run();
        }}
      >
        <h1>
          <img src={icon} alt="" /> Midroll
        </h1>
        <p class="quiet">See your channels, book breaks, understand every ad.</p>
        {why ? <Notice tone="warn">{why}</Notice> : null}
        <TextField
          label="API key"
          type="password"
          value={key}
          onInput={setKey}
          autoComplete="off"
          isRequired
          hint="It stays in this tab, and is forgotten when the tab is closed."
        />
        <ErrorNotice error={signIn.error} />
        <Button type="submit" kind="primary" isBusy={signIn.isBusy}>
          Sign in
        </Button>
        <details>
          <summary>Where do I find a key?</summary>
          <p class="small">
            A new installation prints its first key once, when it starts. Whoever has a key makes more of them under
            Keys. On the machine itself: <code>npx midroll keys create --tenant default --email you@example.com</code>
          </p>
        </details>
      </form>
    </main>
  );
}
