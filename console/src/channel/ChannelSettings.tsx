import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { type ChannelForm, fromForm, toForm } from '../logic/channelForm.ts';
import { mergePatch } from '../logic/mergePatch.ts';
import { Button } from '../parts/Button.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice, Notice } from '../parts/Notice.tsx';
import { SaveError } from '../parts/SaveError.tsx';
import { ChannelFields } from './ChannelFields.tsx';

/** A channel's settings. Only what was changed is sent, and only while nobody else has changed the channel. */
export function ChannelSettings({ id, onSaved }: { readonly id: string; onSaved(): void }) {
  const path = `/channels/${encodeURIComponent(id)}`;
  const stored = useGet<ChannelAnswer>(path);
  const [form, setForm] = useState<ChannelForm>();
  const [isSaved, setSaved] = useState(false);
  const [, go] = useLocation();
  useEffect(() => {
    if (stored.data) setForm(toForm(stored.data));
  }, [stored.data]);

  const patch = form && stored.data ? mergePatch(fromForm(toForm(stored.data)), fromForm(form)) : {};
  const isChanged = Object.keys(patch).length > 0;
  const save = useAction(async () => {
    await call('PATCH', path, { body: patch, ifMatch: stored.etag });
    setSaved(true);
    stored.reload();
    onSaved();
  });
  const remove = async () => {
    await call('DELETE', path);
    go('/');
  };
  if (form === undefined) return stored.error ? <ErrorNotice error={stored.error} /> : <Loading />;
  return (
    <form
      class="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <ChannelFields
        form={form}
        errors={save.fields}
        isNew={false}
        onChange={(next) => {
          setForm(next);
          setSaved(false);
        }}
      />
      <SaveError
        what="channel"
        error={save.error}
        onTakeTheirs={() => {
          save.clear();
          stored.reload();
        }}
      />
      {isSaved ? <Notice tone="good">Saved. It is taken on air within seconds.</Notice> : null}
      <footer>
        <Button type="submit" kind="primary" isBusy={save.isBusy} isDisabled={!isChanged}>
          Save
        </Button>
        <Button isDisabled={!isChanged} onClick={() => setForm(toForm(stored.data!))}>
          Discard changes
        </Button>
        <ConfirmButton
          label="Delete the channel"
          question="Its viewers are refused from now on, and its stream ends. This cannot be undone."
          act={remove}
        />
      </footer>
    </form>
  );
}
