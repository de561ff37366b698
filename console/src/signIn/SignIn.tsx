// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/apiError.ts';
import { storeApiKey } from '../api/apiKey.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import icon from '../components/icons/midroll.svg';
import { type OpenId, signInFault, startUrl } from './signInApi.ts';
import './signIn.css';

/** Whether a text can be sent as a header. */
const isHeaderValue = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text);

type SignInProps = {
  readonly notice: string | undefined;
  /** The provider at which users can sign in in place of a key. */
  readonly openId: OpenId | undefined;
  onSignedIn(): void;
};

/** @param notice why the operator was signed out */
export function SignIn({ notice, openId, onSignedIn }: SignInProps) {
  const [key, setKey] = useState('');
  const signIn = useAction(async () => {
    const given = key.trim();
    if (!isHeaderValue(given))
      throw new ApiError(403, 'Invalid API key. A key has only printable ASCII characters and no spaces.');
    await call('GET', '/installation', { key: given });
    storeApiKey(given);
    onSignedIn();
  });
  const [fault, setFault] = useState(signInFault);
  useEffect(() => {
    document.title = 'Sign in · Midroll';
    // A reload does not repeat the error.
    if (fault !== undefined) history.replaceState(null, '', location.pathname + location.hash);
  }, []);
  return (
    <main class="sign-in">
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          setFault(undefined);
          void signIn.run();
        }}
      >
        <h1>
          <img src={icon} alt="" /> Midroll
        </h1>
        <p class="muted">Server-side ad insertion</p>
        {fault ? <Notice tone="bad">{fault}</Notice> : null}
        {openId ? (
          <>
            <a class="button primary" href={startUrl()}>
              Sign in with {openId.name}
            </a>
            <p class="or muted small">or with an API key</p>
          </>
        ) : null}
        {notice ? <Notice tone="warn">{notice}</Notice> : null}
        <TextField
          label="API key"
          type="password"
          value={key}
          onInput={setKey}
          autoComplete="off"
          isRequired
          hint="Stored in this tab only. Closing the tab signs you out."
        />
        <ErrorNotice error={signIn.error} />
        <Button type="submit" kind={openId ? 'plain' : 'primary'} isBusy={signIn.isBusy}>
          Sign in
        </Button>
        <details>
          <summary>Get an API key</summary>
          <p class="small">
            Midroll prints the first key to its log when it starts for the first time. To create another one, sign in
            and open Keys, or run this command on the server:{' '}
            <code class="wraps">npx midroll keys create --tenant default --email you@example.com</code>
          </p>
        </details>
      </form>
    </main>
  );
}
