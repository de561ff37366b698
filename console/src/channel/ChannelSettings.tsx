import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { type Answer, call } from '../api/call.ts';
import { saveOnce } from '../api/saveOnce.ts';
import { forgetUnsaved } from '../api/unsaved.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { useLeaveGuard } from '../api/useLeaveGuard.ts';
import { type ChannelForm, fromForm, rebase, toForm } from '../logic/channelForm.ts';
import { mergePatch } from '../logic/mergePatch.ts';
import { Button } from '../parts/Button.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice, Notice } from '../parts/Notice.tsx';
import { SaveError } from '../parts/SaveError.tsx';
import { ChannelFields } from './ChannelFields.tsx';

type ChannelSettingsProps = {
  readonly id: string;
  /** The channel after it was put on air or taken off beside the form. */
  readonly switched: Answer<ChannelAnswer> | undefined;
  onSaved(answer: Answer<ChannelAnswer>): void;
};

/** A channel's settings. Only what was changed is sent, and only while nobody else has changed the channel. */
export function ChannelSettings({ id, switched, onSaved }: ChannelSettingsProps) {
  const path = `/channels/${encodeURIComponent(id)}`;
  const stored = useGet<ChannelAnswer>(path);
  const [form, setForm] = useState<ChannelForm>();
  const [isSaved, setSaved] = useState(false);
  const [, go] = useLocation();
  /** What the form says where nobody has touched it. */
  const base = useRef<ChannelForm>();
  useEffect(() => {
    if (!stored.data) return;
    const next = toForm(stored.data);
    const was = base.current;
    base.current = next;
    setForm((edited) => (edited && was ? rebase(edited, was, next) : next));
  }, [stored.data]);
  useEffect(() => {
    // Only that happened since: whatever somebody else did is still told of.
    if (switched && switched.body.__v - 1 === stored.data?.__v) stored.take(switched);
  }, [switched]);

  const patch = form && stored.data ? mergePatch(fromForm(toForm(stored.data)), fromForm(form)) : {};
  const isChanged = Object.keys(patch).length > 0;
  const save = useAction(async () => {
    const answer = await saveOnce(
      () => call<ChannelAnswer>('PATCH', path, { body: patch, ifMatch: stored.etag }),
      () => call<ChannelAnswer>('GET', path),
      (now) => form !== undefined && JSON.stringify(fromForm(toForm(now))) === JSON.stringify(fromForm(form)),
    );
    // What was typed in the meantime stays; the rest is as it was taken.
    base.current = form;
    stored.take(answer);
    onSaved(answer);
    setSaved(true);
  });
  useLeaveGuard(isChanged && !save.isBusy);
  const remove = async () => {
    await call('DELETE', path);
    forgetUnsaved();
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
          base.current = undefined;
          stored.reload();
        }}
      />
      {isSaved && !isChanged ? <Notice tone="good">Saved. It is taken on air within seconds.</Notice> : null}
      <footer>
        <Button type="submit" kind="primary" isBusy={save.isBusy} isDisabled={!isChanged}>
          Save
        </Button>
        <Button
          isDisabled={!isChanged}
          onClick={() => {
            setForm(toForm(stored.data!));
            save.clear();
          }}
        >
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
