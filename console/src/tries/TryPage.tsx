// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { AdTry } from '../../../src/platform/tries/contract/tryContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { Form } from '../components/forms/Form.tsx';
import { formatNameValueLines } from '../components/forms/nameValueLines.ts';
import { TryResult } from './TryResult.tsx';
import { emptyForm, rightToTry, type TryForm, type TryFormat, tryBodyOf } from './tryForm.ts';
import { passTag } from './usedTag.ts';
import './tries.css';
import type { FieldError } from '../api/apiError.ts';
import { formFields } from '../components/forms/formFields.ts';
import { recordOptions, SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';

/** The parameters of the latest session of the channel, if there is one. */
function useLatestParameters(channel: string): Readonly<Record<string, string>> | undefined {
  const sessions = useGet('/channels/{id}/sessions', { path: { id: channel }, query: { limit: 1 } });
  const latest = sessions.data?.[0]?.id;
  const session = useGet('/sessions/{id}', latest === undefined ? null : { path: { id: latest } });
  return session.data?.parameters;
}

/** Tries the ad request of a channel, also with a tag that is not saved. */
export function TryPage({ channel }: { readonly channel: ChannelResponse }) {
  const hasSteps = channel.adSteps !== undefined;
  const savedUrl = hasSteps ? undefined : channel.adSource?.url;
  const [form, setForm] = useState<TryForm>({ ...emptyForm, url: savedUrl ?? '', userAgent: navigator.userAgent });
  const [result, setResult] = useState<AdTry>();
  const [triedUrl, setTriedUrl] = useState('');
  const [, navigate] = useLocation();
  const isEdited = useRef(false);
  const parameters = useLatestParameters(channel.id);
  useEffect(() => {
    if (parameters === undefined || isEdited.current) return;
    setForm((now) => ({ ...now, parameters: formatNameValueLines(parameters) }));
  }, [parameters]);

  const right = rightToTry(form, savedUrl);
  const attempt = useAction(async () => {
    const path = { id: channel.id };
    const { body } = await call('POST', '/channels/{id}/try', { path, body: tryBodyOf(form, savedUrl) });
    setTriedUrl(form.url.trim());
    setResult(body);
  });
  const use = () => {
    passTag(channel.id, triedUrl);
    navigate(`/channels/${encodeURIComponent(channel.id)}?tab=settings`);
  };
  return (
    <div class="try-page">
      <Form isCard onSubmit={() => void attempt.run()}>
        <TryFields
          form={form}
          sources={channel.adSteps?.flatMap(({ sources }) => sources)}
          errors={attempt.fields}
          onChange={(next) => {
            isEdited.current = true;
            setForm(next);
          }}
        />
        <ErrorNotice error={attempt.error} />
        <footer>
          <Button type="submit" kind="primary" icon="play" requires={right} isBusy={attempt.isBusy}>
            Try now
          </Button>
        </footer>
      </Form>
      {result === undefined ? (
        <EmptyState icon="eye" title="Nothing tried yet">
          <p>A try makes a real ad request and shows what a viewer would get. Nothing is counted or tracked.</p>
        </EmptyState>
      ) : (
        <TryResult
          result={result}
          action={
            !hasSteps && triedUrl !== '' && triedUrl !== savedUrl ? (
              <Button icon="check" requires="manage" onClick={use}>
                Use this tag
              </Button>
            ) : null
          }
        />
      )}
    </div>
  );
}

type TryFieldsProps = {
  readonly form: TryForm;
  /** The ids of the ad sources in its steps; undefined for a channel with one ad server. */
  readonly sources: readonly string[] | undefined;
  readonly errors: readonly FieldError[];
  onChange(form: TryForm): void;
};

const formats: Readonly<Record<TryFormat, string>> = { both: 'HLS and DASH', hls: 'HLS', dash: 'DASH' };

/** What a viewer would send, and the break. */
function TryFields({ form, sources, errors, onChange }: TryFieldsProps) {
  const known = useGetAll(sources ? '/ad-sources' : null).data ?? [];
  const { field, choice } = formFields(form, errors, (changed) => onChange({ ...form, ...changed }));
  return (
    <>
      <TextField
        label="Ad tag"
        rows={3}
        {...field('url')}
        hint={`Empty: ${sources ? 'the steps' : 'the saved tag'}. A changed tag is not saved.`}
      />
      {sources ? (
        <SelectField
          label="Ad source"
          value={form.source}
          options={[
            { value: '', label: 'All steps' },
            ...recordOptions(sources.map((id) => known.find((one) => one.id === id) ?? { id })),
          ]}
          onChange={(source) => onChange({ ...form, source })}
        />
      ) : null}
      <TextField
        label="Viewer parameters"
        rows={3}
        {...field('parameters')}
        hint='One "name: value" per line, as in the playback URL.'
      />
      <TextField label="User agent" {...field('userAgent')} />
      <TextField label="Viewer address" {...field('address')} placeholder="203.0.113.7" />
      <div class="pair">
        <TextField label="Break (s)" inputMode="decimal" {...field('breakDuration')} hint="Empty: as the channel." />
        <TextField label="Max. ads" inputMode="decimal" {...field('maxAds')} hint="Empty: no limit." />
      </div>
      <SelectField label="Format" {...choice('format', formats)} />
      <Toggle
        label="Make creatives"
        isOn={form.isPreparing}
        onChange={(isPreparing) => onChange({ ...form, isPreparing })}
      />
    </>
  );
}
